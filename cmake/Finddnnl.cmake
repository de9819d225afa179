# SPDX-License-Identifier: Apache-2.0
# Finds oneDNN as target DNNL::dnnl. Debian's own dnnl-config.cmake insists on the OpenCL headers, which
# only oneDNN's GPU interface needs; Tenon uses the CPU one alone.
find_path(dnnl_INCLUDE_DIR dnnl.hpp)
find_library(dnnl_LIBRARY dnnl)
if(dnnl_INCLUDE_DIR AND EXISTS ${dnnl_INCLUDE_DIR}/oneapi/dnnl/dnnl_version.h)
  file(STRINGS ${dnnl_INCLUDE_DIR}/oneapi/dnnl/dnnl_version.h lines REGEX "DNNL_VERSION_(MAJOR|MINOR|PATCH) +[0-9]+")
  string(REGEX REPLACE "[^0-9;]" "" numbers "${lines}")
  string(REPLACE ";" "." dnnl_VERSION "${numbers}")
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(dnnl REQUIRED_VARS dnnl_LIBRARY dnnl_INCLUDE_DIR VERSION_VAR dnnl_VERSION)
if(dnnl_FOUND AND NOT TARGET DNNL::dnnl)
  add_library(DNNL::dnnl SHARED IMPORTED)
  set_target_properties(DNNL::dnnl PROPERTIES IMPORTED_LOCATION ${dnnl_LIBRARY}
                        INTERFACE_INCLUDE_DIRECTORIES ${dnnl_INCLUDE_DIR})
endif()
mark_as_advanced(dnnl_INCLUDE_DIR dnnl_LIBRARY)
