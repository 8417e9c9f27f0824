// Writing to standard output with every error looked at.
#include "terminal/output.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "files/json_text.hpp"
#include "pimbb/error.hpp"
#include "pimbb/write_file.hpp"

namespace pimbb::terminal {

namespace fs = std::filesystem;

void check_writable(const std::string& option, const std::string& path) {
  const auto refuse = [&](const std::string& reason) {
    throw InputError(option + ": cannot write '" + path + "': " + reason);
  };
  std::error_code ignored;
  const fs::path target(path);
  if (fs::is_directory(target, ignored)) refuse("it is a directory");
  if (target.filename().empty()) refuse("it does not name a file");
  const fs::path parent = target.has_parent_path() ? target.parent_path() : fs::path(".");
  if (!fs::is_directory(parent, ignored)) refuse("there is no directory " + parent.string());
  const fs::path& touched = fs::exists(target, ignored) ? target : parent;
  if (access(touched.c_str(), W_OK) != 0) refuse(std::strerror(errno));
}

Output::Output(const OutputSettings& settings) : settings_(settings) {
  if (!settings.json.empty() && settings.json != "-") check_writable("--json", settings.json);
  if (!settings.csv.empty() && settings.csv != "-") check_writable("--csv", settings.csv);
  if (!settings.csv.empty() && settings.csv == settings.json) {
    throw InputError("--csv: found '" + settings.csv + "', which is also the file of --json");
  }
  if (!settings.proof.empty()) check_writable("--proof", settings.proof);
  if (!settings.log.empty()) check_writable("--log", settings.log);
}

void Output::report(std::string_view text) {
  if (settings_.reports()) write(text);
}

bool Output::content(std::string_view text) {
  write(text);
  return !reader_gone_ && failure_.empty();
}

void Output::json(const std::function<std::string()>& document) {
  if (settings_.json.empty() && settings_.caller == nullptr) return;
  const files::Json all = files::Json::parse(document());
  files::Json json = files::Json::object();
  for (const auto& [key, value] : all.items()) {
    json[key] = value;
    if (key != "format") continue;
    if (!settings_.version.empty()) json["version"] = settings_.version;
    if (!settings_.command.empty()) json["command"] = settings_.command;
  }
  if (settings_.caller != nullptr) {
    settings_.caller->document = files::to_text(json);
  } else {
    write_to(settings_.json, files::to_text(json));
  }
}

void Output::csv(const std::function<std::string()>& table) {
  if (!settings_.csv.empty()) write_to(settings_.csv, table());
}

void Output::write_to(const std::string& path, const std::string& text) {
  if (path == "-") {
    write(text);
  } else {
    write_file(path, text);
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

}  // namespace pimbb::terminal
