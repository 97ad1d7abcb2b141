// SPDX-License-Identifier: Apache-2.0
// The main of all test programs with Catch2 2. Version 3 has one in a library.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
