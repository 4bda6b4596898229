// BISECTOR_UNROLL(n) unrolls the loop after it, so that its values stay in registers.
#pragma once

#define BISECTOR_PRAGMA(text) _Pragma(#text)
#if defined(__clang__)
#define BISECTOR_UNROLL(n) BISECTOR_PRAGMA(clang loop unroll_count(n))
#elif defined(__GNUC__)
#define BISECTOR_UNROLL(n) BISECTOR_PRAGMA(GCC unroll n)
#else
#define BISECTOR_UNROLL(n)
#endif
