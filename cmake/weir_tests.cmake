# SPDX-License-Identifier: Apache-2.0
find_package(Catch2 REQUIRED)
include(Catch)

# Catch2 2 brings no main, and compiling one is dear: it is done once, for all programs.
if(Catch2_VERSION VERSION_LESS 3)
  add_library(weir_catch_main STATIC "${PROJECT_SOURCE_DIR}/tests/support/catch_main.cpp")
  target_link_libraries(weir_catch_main PUBLIC Catch2::Catch2)
  # Catch2 3 fails by itself when no test has the wanted name; version 2 must be told to.
  set(weir_catch_arguments EXTRA_ARGS --warn NoTests)
else()
  add_library(weir_catch_main INTERFACE)
  target_link_libraries(weir_catch_main INTERFACE Catch2::Catch2WithMain)
endif()

# weir_tests(<folder> [LINKS <target>...] [USES_CAF] [SLOW])
#
# Makes the program weir_<folder>_tests of all tests/<folder>/*.cpp, if there is a *_test.cpp. Each
# *_program.cpp is a program of its own, for tests that start processes; they find it, and the
# examples, in the folder that the macro WEIR_PROGRAMS names. A test has 60 seconds, a slow one what
# ctest is told.
function(weir_tests folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "USES_CAF;SLOW" "" "LINKS")
  file(GLOB tests CONFIGURE_DEPENDS "${folder}/*_test.cpp")
  file(GLOB sources CONFIGURE_DEPENDS "${folder}/*.cpp")
  file(GLOB programs CONFIGURE_DEPENDS "${folder}/*_program.cpp")
  if(NOT tests)
    return()
  endif()
  list(REMOVE_ITEM sources ${programs})
  set(target weir_${folder}_tests)
  add_executable(${target} ${sources})
  target_link_libraries(${target} PRIVATE weir_catch_main ${arg_LINKS})
  target_compile_definitions(${target} PRIVATE "WEIR_PROGRAMS=\"${PROJECT_BINARY_DIR}/programs\""
    "WEIR_SOURCES=\"${PROJECT_SOURCE_DIR}\"")
  weir_test_options(${target} ${arg_USES_CAF})
  # To optimise what sanitizers add takes longer than the tests do, but for the slow ones. Nor is
  # each use of each pointer of the many operators compiled here checked by UBSan: null pointers
  # ASan finds as well, and the alignment of rows is what tests/state is for.
  if(WEIR_SANITIZERS AND NOT arg_SLOW)
    target_compile_options(${target} PRIVATE -O0)
    if(WEIR_SANITIZERS MATCHES "undefined" AND folder MATCHES "^(dataflow|windowing)$")
      target_compile_options(${target} PRIVATE -fno-sanitize=null,alignment)
    endif()
  endif()
  get_property(examples GLOBAL PROPERTY WEIR_EXAMPLES)
  if(folder MATCHES "^(examples|recovery)$" AND examples)
    add_dependencies(${target} ${examples})
  endif()
  foreach(source IN LISTS programs)
    cmake_path(GET source STEM program)
    add_executable(${program} ${source})
    target_link_libraries(${program} PRIVATE ${arg_LINKS})
    set_target_properties(${program} PROPERTIES
      RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/programs")
    weir_test_options(${program} ${arg_USES_CAF})
    add_dependencies(${target} ${program})
  endforeach()
  set(timeout TIMEOUT 60)
  if(arg_SLOW)
    set(timeout)
  endif()
  catch_discover_tests(${target} TEST_PREFIX "${folder}/" ${weir_catch_arguments}
    PROPERTIES LABELS ${folder} ${timeout})
endfunction()

function(weir_test_options target uses_caf)
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/tests")
  weir_warnings(${target})
  if(uses_caf)
    weir_uses_caf(${target})
  endif()
endfunction()
