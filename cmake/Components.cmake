# The library's components, each behind those that it needs:
#
#     core <- io <- train, chemistry        core <- report <- chemistry
#
# Read by the build and, installed beside bisector-config.cmake, by find_package(bisector).
set(bisector_components core io train report chemistry)
set(bisector_needs_io core)
set(bisector_needs_train core io)
set(bisector_needs_report core)
set(bisector_needs_chemistry core io report)

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
