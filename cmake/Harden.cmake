# Hardening flags that make bugs harder to exploit: stack and buffer checks, address randomization, and
# read-only relocation tables.
include(CheckPIESupported)
check_pie_supported()
option(BISECTOR_HARDEN "Compile and link with stack protection, fortified calls, RELRO and PIE" ON)

# Sanitizers have their own checks, which fortified calls would hide.
function(bisector_harden target)
  if(NOT BISECTOR_HARDEN OR MSVC OR CMAKE_CXX_FLAGS MATCHES "-fsanitize")
    return()  # MSVC enables these protections by default
  endif()
  target_compile_options(${target} PRIVATE -fstack-protector-strong)
  # Fortified calls need optimization. Flags of a distribution may already set a level.
  target_compile_options(${target} PRIVATE
    $<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE$<SEMICOLON>-D_FORTIFY_SOURCE=2>)
  if(NOT APPLE AND NOT WIN32)
    target_link_options(${target} PRIVATE LINKER:-z,relro,-z,now,-z,noexecstack)
  endif()
endfunction()
