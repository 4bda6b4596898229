// A disk that fails: loaded in front of the C library, fsync() brings nothing to the disk.
#include <cerrno>

extern "C" int fsync(int) {
  errno = EIO;
  return -1;
}
