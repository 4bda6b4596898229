#include "tools/platform/unfinished_files.h"

#include <array>
#include <atomic>
#include <csignal>
#include <cstring>

#ifdef _WIN32
#include <io.h>
#include <process.h>
#else
#include <unistd.h>
#endif

namespace bisector::tools {
namespace {

// Fixed memory for the signal handler. The pointer is set last and cleared first.
struct Slot {
  std::array<char, 4096> text{};
  std::atomic<const char*> name{nullptr};
};
static_assert(std::atomic<const char*>::is_always_lock_free, "for the signal handler");
static_assert(std::atomic<int>::is_always_lock_free, "for the signal handler");
std::array<Slot, 8> slots;
std::atomic<int> holders{0}, waiting{0};

void remove_file(const char* name) {
#ifdef _WIN32
  ::_unlink(name);
#else
  ::unlink(name);
#endif
}

extern "C" void remove_and_exit(int signal) {
  if (holders.load() > 0) {
    waiting.store(signal);
    return;
  }
  for (const Slot& slot : slots) {
    if (const char* name = slot.name.load()) remove_file(name);
  }
  ::_exit(128 + signal);
}

#ifndef _WIN32
void handle(int signal) {
  struct sigaction action {};
  action.sa_handler = remove_and_exit;
  action.sa_flags = SA_RESTART;  // delayed signals do not interrupt system calls
  ::sigaction(signal, &action, nullptr);
}
#endif

}  // namespace

SignalsHeld::SignalsHeld() { ++holders; }

SignalsHeld::~SignalsHeld() {
  if (--holders == 0 && waiting.load() != 0) remove_and_exit(waiting.load());
}

UnfinishedFile::UnfinishedFile(const std::string& name) : slot_(-1) {
  for (std::size_t i = 0; i < slots.size() && slot_ < 0; ++i) {
    if (slots[i].name.load() != nullptr || name.size() >= slots[i].text.size()) continue;
    std::memcpy(slots[i].text.data(), name.c_str(), name.size() + 1);
    slots[i].name.store(slots[i].text.data());
    slot_ = static_cast<int>(i);
  }
}

UnfinishedFile::~UnfinishedFile() {
  if (slot_ >= 0) slots[static_cast<std::size_t>(slot_)].name.store(nullptr);
}

void remove_unfinished_files_on_signals() {
#ifdef _WIN32
  // Windows has no other signals and keeps open files; the next run removes them.
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, remove_and_exit);
#else
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before {};
    ::sigaction(signal, nullptr, &before);
    // nohup and background jobs ignore these signals; keep that.
    if (before.sa_handler != SIG_IGN) handle(signal);
  }
  // End at a closed pipe even if the parent process ignores the signal.
  handle(SIGPIPE);
  std::signal(SIGXFSZ, SIG_IGN);
#endif
}

}  // namespace bisector::tools
