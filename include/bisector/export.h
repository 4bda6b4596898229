// BISECTOR_EXPORT marks what a shared library shows to those who link it: the public interface.
// Everything else is compiled with hidden visibility.
#pragma once

#if defined(__GNUC__) || defined(__clang__)
#define BISECTOR_EXPORT __attribute__((visibility("default")))
#else
#define BISECTOR_EXPORT
#endif
