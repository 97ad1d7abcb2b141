// SPDX-License-Identifier: Apache-2.0
// The one place that knows which Catch2 is installed: version 2 (Debian 12) or 3 (Debian 13).
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#else
#include <catch2/catch.hpp>
#endif
