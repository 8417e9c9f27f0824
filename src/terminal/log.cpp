// Composing and writing log lines.
#include "terminal/log.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "pimbb/error.hpp"

namespace pimbb::terminal {
Log::Log(const OutputSettings& settings) : path_(settings.log), timeless_(settings.timeless) {
  if (path_.empty()) return;
  for (const auto& [option, other] :
       {std::pair{"--json", settings.json}, std::pair{"--proof", settings.proof}}) {
    if (path_ == other) {
      throw InputError("--log: found '" + path_ + "', which is also the file of " + option);
    }
  }
  file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file_ < 0) {
    throw InputError("--log: cannot write '" + path_ + "': " + std::strerror(errno));
  }
}

Log::~Log() {
  if (file_ >= 0) ::close(file_);
}

files::Json Log::event(const std::string& name) const {
  files::Json line = files::Json::object();
  line["event"] = name;
  if (!key_.empty()) line[key_] = name_;
  return line;
}

void Log::start(const std::string& command, const files::Json& what, const RunLimits& limits) {
  if (!wanted()) return;
  files::Json line = event("start");
  line["format"] = "pimbb-log/1";
  line["command"] = command;
  line.update(what);
  if (!timeless_) line["threads"] = limits.threads;
  if (limits.time_limit) line["time_limit"] = *limits.time_limit;
  if (limits.node_limit) line["node_limit"] = *limits.node_limit;
  line["memory_limit"] = limits.memory_limit;
  write(line);
  finish();
}

void Log::about(std::string key, std::string name) {
  key_ = std::move(key);
  name_ = std::move(name);
}

void Log::progress(const Progress& progress) {
  if (!wanted()) return;
  files::Json line = event("progress");
  line["goal"] = progress.goal;
  if (progress.incumbent) line["incumbent"] = *progress.incumbent;
  line["bound"] = progress.bound;
  if (progress.incumbent) line["gap"] = progress.gap();
  line["nodes"] = progress.nodes;
  if (!timeless_) {
    line["seconds"] = progress.seconds;
    if (progress.seconds > 0) {
      line["rate"] = static_cast<double>(progress.nodes) / progress.seconds;
    }
  }
  write(line);
}

void Log::result(const std::string& name, const files::Json& fields) {
  if (!wanted()) return;
  files::Json line = event(name);
  line.update(fields);
  write(line);
}

void Log::end(files::Json fields, double seconds, int threads) {
  if (!timeless_) {
    fields["seconds"] = seconds;
    fields["threads"] = threads;
  }
  result("end", fields);
}

void Log::end(const files::Json& summary) {
  about("", "");
  if (!wanted()) return;
  files::Json line = event("end");
  line.update(summary);
  write(line);
}

void Log::write(const files::Json& line) {
  if (error_ != 0) return;
  // Names may come from files in any encoding; what is not UTF-8 is replaced.
  const std::string text =
      line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t n = ::write(file_, text.data() + written, text.size() - written);
    if (n >= 0) {
      written += static_cast<std::size_t>(n);
    } else if (errno != EINTR) {
      error_ = errno;
      return;
    }
  }
}

void Log::finish() const {
  if (error_ == 0 || error_ == EPIPE) return;  // a reader may go away
  throw InputError("--log: cannot write '" + path_ + "': " + std::strerror(error_));
}

}  // namespace pimbb::terminal
