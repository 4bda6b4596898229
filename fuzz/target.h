// A fuzz target is a function of bytes. In build-fuzz/ libFuzzer calls it, one program for each
// target; in the ordinary tests one program replays the inputs that are kept in fuzz/.
#pragma once

#include <cstddef>
#include <string_view>

namespace bisector::fuzz {

using Target = void (*)(std::string_view bytes);

/// Makes a target known to the replay.
struct Registration {
  Registration(const char* name, Target target);
};

}  // namespace bisector::fuzz

/// Opens the body of a target: FUZZ_TARGET(csv, bytes) { ... }, inside namespace bisector::fuzz.
#ifdef BISECTOR_LIBFUZZER
#define FUZZ_TARGET(name, bytes)                                                       \
  static void fuzz_##name(std::string_view);                                           \
  extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) { \
    fuzz_##name({reinterpret_cast<const char*>(data), size});                          \
    return 0;                                                                          \
  }                                                                                    \
  static void fuzz_##name(std::string_view bytes)
#else
#define FUZZ_TARGET(name, bytes)                                     \
  static void fuzz_##name(std::string_view);                         \
  static const Registration registration_##name(#name, fuzz_##name); \
  static void fuzz_##name(std::string_view bytes)
#endif
