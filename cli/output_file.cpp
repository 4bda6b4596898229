#include "cli/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>
#include <string>
#include <system_error>

#include "bisector/error.h"

namespace bisector::cli {
namespace {

[[noreturn]] void refuse(const std::string& name) {
  const std::string reason = errno == 0 ? "" : fmt::format(": {}", std::strerror(errno));
  throw FileError(fmt::format("cannot write {}{}", name, reason));
}

// The names of unfinished files, where a signal handler can reach them: fixed memory, and a pointer
// that is set last and cleared first.
struct Slot {
  std::array<char, 4096> text{};
  std::atomic<const char*> name{nullptr};
};
static_assert(std::atomic<const char*>::is_always_lock_free, "for the signal handler");
std::array<Slot, 4> slots;

/// Returns the slot, or -1 where the name is too long or every slot is taken: then a signal leaves
/// the temporary file behind.
int remember(const std::string& name) {
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (slots[i].name.load() != nullptr || name.size() >= slots[i].text.size()) continue;
    std::memcpy(slots[i].text.data(), name.c_str(), name.size() + 1);
    slots[i].name.store(slots[i].text.data());
    return static_cast<int>(i);
  }
  return -1;
}

void forget(int slot) {
  if (slot >= 0) slots[static_cast<std::size_t>(slot)].name.store(nullptr);
}

extern "C" void remove_and_exit(int signal) {
  for (const Slot& slot : slots) {
    if (const char* name = slot.name.load()) ::unlink(name);
  }
  ::_exit(128 + signal);
}

/// Makes an empty file that was not there before, with the permissions that any new file gets.
std::filesystem::path make_temporary(const std::filesystem::path& final, const std::string& name) {
  for (int attempt = 0; attempt < 100; ++attempt) {
    std::filesystem::path temporary = final;
    temporary += fmt::format(".{}-{}.tmp", ::getpid(), attempt);
    const int descriptor = ::open(temporary.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
    if (descriptor >= 0) {
      ::close(descriptor);
      return temporary;
    }
    if (errno != EEXIST) break;
  }
  refuse(name);
}

}  // namespace

OutputFile::OutputFile(const std::filesystem::path& path) : name_(path), final_(path) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  if (std::filesystem::is_directory(status)) {
    errno = EISDIR;
    refuse(name_.string());
  }
  if (std::filesystem::exists(status)) final_ = std::filesystem::canonical(path);
  const bool is_special =
      std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
  temporary_ = is_special ? final_ : make_temporary(final_, name_.string());
  if (!is_special) slot_ = remember(temporary_.string());
  errno = 0;
  stream_.open(temporary_, std::ios::binary);
  if (!stream_) refuse(name_.string());
}

OutputFile::~OutputFile() {
  stream_.close();
  std::error_code ignored;
  if (temporary_ != final_) std::filesystem::remove(temporary_, ignored);
  forget(slot_);
}

void OutputFile::commit() {
  stream_.close();
  if (!stream_) refuse(name_.string());
  if (temporary_ == final_) return;
  if (std::rename(temporary_.c_str(), final_.c_str()) != 0) refuse(name_.string());
  temporary_ = final_;
}

Output::Output(const std::filesystem::path& path, std::ostream& standard)
    : standard_(standard), name_(path.string()) {
  if (path.empty() || path == "-")
    name_ = "to standard output";
  else
    file_.emplace(path);
}

void Output::check() {
  stream().flush();
  if (!stream()) refuse(name_);
}

void Output::commit() {
  check();
  if (file_) file_->commit();
}

void remove_unfinished_files_on_signals() {
  struct sigaction action {
  }, before{};
  action.sa_handler = remove_and_exit;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    ::sigaction(signal, nullptr, &before);
    // nohup and background jobs have them ignored, and that stays.
    if (before.sa_handler != SIG_IGN) ::sigaction(signal, &action, nullptr);
  }
  // Whoever started us may have chosen to ignore it; we end as a pipe's reader expects.
  std::signal(SIGPIPE, SIG_DFL);
}

}  // namespace bisector::cli
