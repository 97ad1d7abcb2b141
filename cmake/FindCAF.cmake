# SPDX-License-Identifier: Apache-2.0
# Finds the C++ Actor Framework where no package of its own is installed (Debian's libcaf-dev).
# Components: core, io, openssl. Makes the targets CAF::core, CAF::io, CAF::openssl, with the names
# of CAF's own package.
include(FindPackageHandleStandardArgs)
find_package(Threads QUIET)

if(NOT CAF_FIND_COMPONENTS)
  set(CAF_FIND_COMPONENTS core io)
endif()
foreach(component IN LISTS CAF_FIND_COMPONENTS)
  set(header caf/${component}/all.hpp)
  if(component STREQUAL "core")
    set(header caf/all.hpp)
  endif()
  find_path(CAF_${component}_INCLUDE_DIR ${header})
  find_library(CAF_${component}_LIBRARY caf_${component})
  mark_as_advanced(CAF_${component}_INCLUDE_DIR CAF_${component}_LIBRARY)
  if(CAF_${component}_INCLUDE_DIR AND CAF_${component}_LIBRARY)
    set(CAF_${component}_FOUND TRUE)
  endif()
endforeach()

if(CAF_core_INCLUDE_DIR)
  # CAF_VERSION is one number: 1706 is 0.17.6.
  file(STRINGS "${CAF_core_INCLUDE_DIR}/caf/config.hpp" line REGEX "^#define CAF_VERSION [0-9]+")
  if(line MATCHES "CAF_VERSION ([0-9]+)")
    math(EXPR major "${CMAKE_MATCH_1} / 10000")
    math(EXPR minor "(${CMAKE_MATCH_1} / 100) % 100")
    math(EXPR patch "${CMAKE_MATCH_1} % 100")
    set(CAF_VERSION ${major}.${minor}.${patch})
  endif()
endif()

find_package_handle_standard_args(CAF
  REQUIRED_VARS CAF_core_LIBRARY CAF_core_INCLUDE_DIR Threads_FOUND
  VERSION_VAR CAF_VERSION HANDLE_COMPONENTS)

if(CAF_FOUND)
  foreach(component IN LISTS CAF_FIND_COMPONENTS)
    if(CAF_${component}_FOUND AND NOT TARGET CAF::${component})
      add_library(CAF::${component} UNKNOWN IMPORTED)
      set_target_properties(CAF::${component} PROPERTIES
        IMPORTED_LOCATION "${CAF_${component}_LIBRARY}"
        INTERFACE_INCLUDE_DIRECTORIES "${CAF_${component}_INCLUDE_DIR}"
        INTERFACE_LINK_LIBRARIES Threads::Threads)
      if(NOT component STREQUAL "core")
        set_property(TARGET CAF::${component} APPEND PROPERTY INTERFACE_LINK_LIBRARIES CAF::core)
      endif()
    endif()
  endforeach()
endif()
