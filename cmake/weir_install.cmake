# SPDX-License-Identifier: Apache-2.0
# The target weir::weir, which is all layers, and the package for find_package(weir).
include(CMakePackageConfigHelpers)

add_library(weir_weir INTERFACE)
add_library(weir::weir ALIAS weir_weir)
set_target_properties(weir_weir PROPERTIES EXPORT_NAME weir)
get_property(layers GLOBAL PROPERTY WEIR_LAYERS)
list(TRANSFORM layers PREPEND weir::)
target_link_libraries(weir_weir INTERFACE ${layers})

set(package "${CMAKE_INSTALL_LIBDIR}/cmake/weir")
install(TARGETS weir_weir EXPORT weir_targets)
install(EXPORT weir_targets NAMESPACE weir:: DESTINATION "${package}")
configure_package_config_file(cmake/weirConfig.cmake.in "${PROJECT_BINARY_DIR}/weirConfig.cmake"
  INSTALL_DESTINATION "${package}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/weirConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/weirConfig.cmake"
  "${PROJECT_BINARY_DIR}/weirConfigVersion.cmake" cmake/FindCAF.cmake DESTINATION "${package}")
