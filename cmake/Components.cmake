# The library's components, each behind those that it needs:
#
#     core <- io <- train, chemistry, columnar        core <- report <- chemistry
#
# columnar, which reads Parquet and Arrow files, is there where Apache Arrow was when it was built.
# Read by the build and, installed beside bisector-config.cmake, by find_package(bisector).
set(bisector_components core io train report chemistry columnar)
set(bisector_needs_io core)
set(bisector_needs_train core io)
set(bisector_needs_report core)
set(bisector_needs_chemistry core io report)
set(bisector_needs_columnar core io)

# bisector_with_needs(RESULT components...): these and what they need, in the order of the list above.
function(bisector_with_needs result)
  set(wanted ${ARGN})
  foreach(component IN LISTS ARGN)
    list(APPEND wanted ${bisector_needs_${component}})
  endforeach()
  set(ordered)
  foreach(component IN LISTS bisector_components)
    if(component IN_LIST wanted)
      list(APPEND ordered ${component})
    endif()
  endforeach()
  set(${result} ${ordered} PARENT_SCOPE)
endfunction()
