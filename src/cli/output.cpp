// Writing to standard output with every error looked at.
#include "cli/output.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "pimbb/error.hpp"
#include "pimbb/io.hpp"

namespace pimbb::cli {
namespace {

namespace fs = std::filesystem;

void check_writable(const std::string& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    throw InputError("--json: '" + path + "' is a directory; allowed is a file to write");
  }
  const fs::path parent = fs::path(path).parent_path();
  if (!parent.empty() && !fs::is_directory(parent, ignored)) {
    throw InputError("--json: cannot write '" + path + "': there is no directory '" +
                     parent.string() + "'");
  }
}

}  // namespace

Output::Output(const Settings& settings) : settings_(settings) {
  if (!settings.json.empty() && settings.json != "-") check_writable(settings.json);
}

void Output::report(std::string_view text) {
  if (settings_.reports()) write(text);
}

void Output::json(const std::function<std::string()>& document) {
  if (settings_.json.empty()) return;
  if (settings_.json == "-") {
    write(document());
  } else {
    io::write_file(settings_.json, document());
  }
}

void Output::finish() const {
  if (!failure_.empty()) throw InputError("standard output: cannot write: " + failure_);
}

void Output::write(std::string_view text) {
  if (reader_gone_ || !failure_.empty()) return;
  const bool written =
      std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (written) return;
  if (errno == EPIPE) {
    reader_gone_ = true;
  } else {
    failure_ = std::strerror(errno);
  }
}

}  // namespace pimbb::cli
