// BISECTOR_EXPORT marks the symbols that a shared library exports: the public interface.
// Everything else is compiled with hidden visibility.
#pragma once

#if defined(__GNUC__) || defined(__clang__)
#define BISECTOR_EXPORT __attribute__((visibility("default")))
#else
#define BISECTOR_EXPORT
#endif
