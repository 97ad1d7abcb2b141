# SPDX-License-Identifier: Apache-2.0
# How all of weir is compiled: language, ccache, warnings, sanitizers.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

find_program(WEIR_CCACHE ccache)
mark_as_advanced(WEIR_CCACHE)
if(WEIR_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${WEIR_CCACHE}")
endif()

if(WEIR_SANITIZERS)
  # Without -fno-sanitize-recover a program that UBSan complains about still exits with 0.
  add_compile_options(-fsanitize=${WEIR_SANITIZERS} -fno-sanitize-recover=all
    -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${WEIR_SANITIZERS})
endif()

# The warnings of our own code. Generated and foreign code is compiled without. GCC 12 takes a
# literal in front of a std::string for an overlapping copy (its bug 105651), when it optimises.
function(weir_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic
    $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>
    $<$<BOOL:${WEIR_WARNINGS_AS_ERRORS}>:-Werror>)
endfunction()

# For targets that spawn CAF actors: CAF 0.17 binds a null reference when an actor made from a
# function is spawned without arguments (caf/detail/init_fun_factory.hpp), which UBSan reports.
function(weir_uses_caf target)
  if(WEIR_SANITIZERS MATCHES "undefined")
    target_compile_options(${target} PRIVATE -fno-sanitize=null)
  endif()
endfunction()
