#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the build tree given, then builds and runs a project that finds weir there.
#   install_test.sh <build folder> <c++ compiler>
set -euo pipefail
build=$1
compiler=$2
here=$(cd "$(dirname "$0")" && pwd)
prefix="$build/install_test/prefix"
rm -rf "$build/install_test"

cmake --install "$build" --prefix "$prefix" >"$build/install_test.log"
private=$(find "$prefix/include" -name internal -o -name '*.pb.h' -o -name '*.cpp')
if [[ -n $private ]]; then
  echo "private files are installed: $private"
  exit 1
fi
cmake -S "$here/install_consumer" -B "$build/install_test/consumer" -G Ninja \
  -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_COMPILER="$compiler"
cmake --build "$build/install_test/consumer"
"$build/install_test/consumer/consumer"
