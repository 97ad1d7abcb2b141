# SPDX-License-Identifier: Apache-2.0

# weir_layer(<layer> [DEPENDS <layer>...] [LINKS <target>...] [USES_CAF])
#
# Makes the library weir_<layer>, alias weir::<layer>, of all *.cpp and *.proto in the folder
# <layer>/ and its internal/. A folder without any is an interface library. Headers are included
# as "weir/<layer>/<file>.hpp", through a link in the build tree.
function(weir_layer layer)
  cmake_parse_arguments(PARSE_ARGV 1 arg "USES_CAF" "" "DEPENDS;LINKS")
  set(folder "${PROJECT_SOURCE_DIR}/${layer}")
  file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/include/weir")
  file(CREATE_LINK "${folder}" "${PROJECT_BINARY_DIR}/include/weir/${layer}" SYMBOLIC)
  file(GLOB sources CONFIGURE_DEPENDS "${folder}/*.cpp" "${folder}/internal/*.cpp")
  file(GLOB protos CONFIGURE_DEPENDS "${folder}/*.proto" "${folder}/internal/*.proto")
  list(TRANSFORM arg_DEPENDS PREPEND weir::)
  set(target weir_${layer})
  if(sources OR protos)
    add_library(${target} STATIC ${sources})
    set(public PUBLIC)
    target_link_libraries(${target} PRIVATE ${arg_LINKS})
    target_compile_features(${target} PUBLIC cxx_std_20)
    weir_warnings(${target})
    weir_protos(${target} ${protos})
    if(arg_USES_CAF)
      weir_uses_caf(${target})
      # Most of the time such a file takes is for parsing CAF's headers.
      set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 4)
    endif()
  else()
    add_library(${target} INTERFACE)
    set(public INTERFACE)
    target_compile_features(${target} INTERFACE cxx_std_20)
  endif()
  add_library(weir::${layer} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${layer})
  target_link_libraries(${target} ${public} ${arg_DEPENDS})
  target_include_directories(${target} ${public}
    $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include> $<INSTALL_INTERFACE:include>)
  install(TARGETS ${target} EXPORT weir_targets)
  file(GLOB headers CONFIGURE_DEPENDS "${folder}/*.hpp")
  install(FILES ${headers} DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/weir/${layer}")
  set_property(GLOBAL APPEND PROPERTY WEIR_LAYERS ${layer})
endfunction()

# Compiles the .proto files into `target`. The code goes to <build>/generated, which keeps the
# source tree clean, and is included as "weir/<layer>/<file>.pb.h".
function(weir_protos target)
  set(generated "${PROJECT_BINARY_DIR}/generated")
  foreach(proto IN LISTS ARGN)
    file(RELATIVE_PATH name "${PROJECT_SOURCE_DIR}" "${proto}")
    string(REGEX REPLACE "\\.proto$" "" name "weir/${name}")
    file(MAKE_DIRECTORY "${generated}")
    add_custom_command(
      OUTPUT "${generated}/${name}.pb.cc" "${generated}/${name}.pb.h"
      COMMAND protobuf::protoc -I "${PROJECT_BINARY_DIR}/include" "--cpp_out=${generated}"
        "${name}.proto"
      DEPENDS "${proto}" COMMENT "protoc ${name}.proto" VERBATIM)
    target_sources(${target} PRIVATE "${generated}/${name}.pb.cc")
    set_source_files_properties("${generated}/${name}.pb.cc" PROPERTIES
      COMPILE_OPTIONS -w SKIP_UNITY_BUILD_INCLUSION ON)
    target_include_directories(${target} SYSTEM PUBLIC $<BUILD_INTERFACE:${generated}>)
  endforeach()
endfunction()
