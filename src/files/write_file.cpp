// Writing a file whole or not at all: a temporary file beside the target, then a rename.
#include "pimbb/write_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <mutex>
#include <random>
#include <string>
#include <utility>

#include "pimbb/error.hpp"

namespace pimbb {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path, const std::string& reason) {
  throw InputError(path + ": the file cannot be written: " + reason);
}

/// Writes everything to an open descriptor; returns 0 or the errno of what failed.
int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

class TemporaryFile;

/// The files that are being written, one behind the other.
struct Unfinished {
  std::mutex mutex;
  TemporaryFile* first = nullptr;
};
Unfinished& unfinished() {
  static constinit Unfinished files;
  return files;
}

/// A file beside the target that is removed again unless it has become the target.
class TemporaryFile {
 public:
  explicit TemporaryFile(fs::path target) : target_(std::move(target)) {
    std::random_device random;
    for (int attempt = 0; attempt < 100; ++attempt) {
      // As text: libstdc++'s path::replace_filename crashes where it has no memory.
      const std::string& whole = target_.native();
      path_ = whole.substr(0, whole.rfind('/') + 1) + ".pimbb-" + std::to_string(random()) + ".tmp";
      descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (descriptor_ >= 0 || errno != EEXIST) break;
    }
    if (descriptor_ < 0) fail(target_, std::strerror(errno));
    const std::lock_guard lock(unfinished().mutex);
    next_ = std::exchange(unfinished().first, this);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    remove();
    const std::lock_guard lock(unfinished().mutex);
    TemporaryFile** place = &unfinished().first;
    while (*place != this) place = &(*place)->next_;
    *place = next_;
  }

  void remove() const noexcept {
    if (!done_) ::unlink(path_.c_str());
  }
  [[nodiscard]] const TemporaryFile* next() const { return next_; }

  void set_mode(mode_t mode) { check(::fchmod(descriptor_, mode) == 0 ? 0 : errno); }
  void write(std::string_view text) {
    assert(descriptor_ >= 0 && !done_);
    check(write_all(descriptor_, text));
  }
  void become_target() {
    const int closed = ::close(descriptor_);  // some file systems report a full disk only here
    descriptor_ = -1;
    check(closed == 0 ? 0 : errno);
    check(::rename(path_.c_str(), target_.c_str()) == 0 ? 0 : errno);
    done_ = true;
  }

 private:
  void check(int error) const {
    if (error != 0) fail(target_, std::strerror(error));
  }

  fs::path target_;
  std::string path_;
  int descriptor_ = -1;
  std::atomic<bool> done_ = false;
  TemporaryFile* next_ = nullptr;
};

void write_stdout(std::string_view text) {
  std::cout.write(text.data(), static_cast<std::streamsize>(text.size()));
  if (!std::cout.flush()) fail("standard output", "the stream is closed or full");
}

/// A terminal, pipe or device: there is nothing to replace, only something to write to.
void write_special(const std::string& path, const std::function<void(const Sink&)>& produce) {
  struct Descriptor {
    int number;
    ~Descriptor() { ::close(number); }
  } const file{::open(path.c_str(), O_WRONLY | O_CLOEXEC)};
  if (file.number < 0) fail(path, std::strerror(errno));
  produce([&](std::string_view text) {
    const int error = write_all(file.number, text);
    if (error != 0) fail(path, std::strerror(error));
  });
}

}  // namespace

void remove_unfinished_files() noexcept {
  const std::lock_guard lock(unfinished().mutex);
  for (const TemporaryFile* file = unfinished().first; file != nullptr; file = file->next()) {
    file->remove();
  }
}

void write_file(const std::string& path, std::string_view text) {
  write_file(path, [&](const Sink& sink) { sink(text); });
}

void write_file(const std::string& path, const std::function<void(const Sink&)>& produce) {
  if (path == "-") return produce(write_stdout);
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) fail(path, "it is a directory");
  if (exists && !S_ISREG(status.st_mode)) return write_special(path, produce);
  if (exists && ::access(path.c_str(), W_OK) != 0) fail(path, std::strerror(errno));
  if (fs::path(path).filename().empty()) fail(path, "it does not name a file");
  // Through a symbolic link, the file it leads to is the one to replace.
  std::error_code ignored;
  const fs::path target = exists ? fs::canonical(path, ignored) : fs::path(path);
  TemporaryFile file(target.empty() ? fs::path(path) : target);
  if (exists) file.set_mode(status.st_mode & 07777U);
  produce([&](std::string_view text) { file.write(text); });
  file.become_target();
}

}  // namespace pimbb
