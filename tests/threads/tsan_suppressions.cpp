// What ThreadSanitizer cannot see: locks inside the C library, which is not instrumented.
#ifdef __SANITIZE_THREAD__

extern "C" const char* __tsan_default_suppressions();

extern "C" const char* __tsan_default_suppressions() {
  return "race:tzset_internal\n";  // libzip asks for local times, and glibc holds its lock
}

#endif
