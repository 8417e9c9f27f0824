// A file is written whole or not at all, and a failure leaves everything as it was.
#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "pimbb/write_file.hpp"
#include "support/texts.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using texts::contains;
using texts::error_of;
namespace fs = std::filesystem;

namespace {

std::string read(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

std::size_t files_in(const std::string& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

mode_t mode_of(const std::string& path) {
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  return status.st_mode & 07777U;
}

/// Lets no file grow past `bytes` while it lives: a full disk, on demand.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int);
};

}  // namespace

TEST_CASE("a new file gets the usual permissions, an old one keeps its own") {
  const texts::Folder folder;
  const std::string path = folder.path("out.json");
  write_file(path, "first\n");
  CHECK(read(path) == "first\n");
  const mode_t mask = ::umask(0);
  ::umask(mask);
  CHECK(mode_of(path) == (0666U & ~mask));
  fs::permissions(path, fs::perms(0640));
  write_file(path, "second\n");
  CHECK(read(path) == "second\n");
  CHECK(mode_of(path) == 0640U);
  CHECK(files_in(folder.path("")) == 1);
}

TEST_CASE("a symbolic link stays one") {
  const texts::Folder folder;
  const std::string target = folder.write("target", "old");
  fs::create_symlink(target, folder.path("link"));
  write_file(folder.path("link"), "new");
  CHECK(fs::is_symlink(folder.path("link")));
  CHECK(read(target) == "new");
}

TEST_CASE("a device is written to, not replaced") {
  write_file("/dev/null", "text");
  CHECK(fs::is_character_file("/dev/null"));
}

TEST_CASE("a full disk leaves the old file and nothing else") {
  const texts::Folder folder;
  const std::string path = folder.write("out.json", "old");
  std::string message;
  {
    const FullDisk full(1000);
    message = error_of([&] { write_file(path, std::string(5000, 'x')); });
  }
  CHECK(contains(message, path + ": the file cannot be written: File too large"));
  CHECK(read(path) == "old");
  CHECK(files_in(folder.path("")) == 1);
}

TEST_CASE("places that cannot be written") {
  const texts::Folder folder;
  fs::create_directory(folder.path("dir"));
  CHECK(contains(error_of([&] { write_file(folder.path("dir"), "x"); }), "it is a directory"));
  CHECK(contains(error_of([&] { write_file(folder.path("no/file"), "x"); }),
                 "no/file: the file cannot be written: No such file or directory"));
  CHECK(contains(error_of([&] { write_file(folder.path("no/"), "x"); }), "does not name"));
  CHECK(contains(error_of([&] { write_file("", "x"); }), "does not name"));
  CHECK(files_in(folder.path("")) == 1);
}
