# SPDX-License-Identifier: Apache-2.0
# Compiler settings every target shares, through the interface target tenon_compiler.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)

find_program(TENON_CCACHE ccache)
if(TENON_CCACHE)
  set(launch ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${TENON_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${launch})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launch})
endif()

add_library(tenon_compiler INTERFACE)
target_include_directories(tenon_compiler INTERFACE ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}/generated)
# GCC 12 takes the second Ref of one object for a use after free, since it does not follow intrusive counts.
target_compile_options(tenon_compiler INTERFACE -Wall -Wextra -Wno-psabi -Wno-use-after-free
                       -ffile-prefix-map=${CMAKE_SOURCE_DIR}/= -fno-math-errno)
if(TENON_WERROR)
  target_compile_options(tenon_compiler INTERFACE -Werror)
endif()
if(TENON_SANITIZE)
  # GCC 12 takes std::regex's states for uninitialized when sanitizers change how they are laid out.
  target_compile_options(tenon_compiler INTERFACE -Wno-maybe-uninitialized)
endif()
if(TENON_SANITIZE STREQUAL "address")
  target_compile_options(tenon_compiler INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=all
                         -fno-omit-frame-pointer)
  target_link_options(tenon_compiler INTERFACE -fsanitize=address,undefined)
elseif(TENON_SANITIZE STREQUAL "thread")
  target_compile_options(tenon_compiler INTERFACE -fsanitize=thread -fno-omit-frame-pointer)
  target_link_options(tenon_compiler INTERFACE -fsanitize=thread)
endif()
