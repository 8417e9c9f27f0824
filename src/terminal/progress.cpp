// Composing and repainting the progress line.
#include "terminal/progress.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>

#include "terminal/format.hpp"
#include "terminal/terminal.hpp"

namespace pimbb::terminal {
namespace {

constexpr std::chrono::seconds kPace{1};

void to_stderr(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);  // a lost progress line is no loss
  std::fflush(stderr);
}

}  // namespace

std::string progress_text(const std::optional<Progress>& progress, std::optional<double> seconds,
                          const std::string& what) {
  std::string text;
  const auto add = [&text](const std::string& part) {
    if (!part.empty()) text += (text.empty() ? "" : "  ") + part;
  };
  if (progress && progress->incumbent) add(fmt::format("gap {:.2f} %", 100 * progress->gap()));
  if (seconds) add(number(static_cast<std::int64_t>(*seconds)) + " s");
  add(what);
  if (!progress) return text.empty() ? "searching" : text;
  add(std::string(progress->goal));
  add(progress->incumbent ? "best " + number(*progress->incumbent) : "no mapping yet");
  add("bound " + number(progress->bound));
  const auto nodes = static_cast<double>(progress->nodes);
  add(fmt::format("{} nodes", number(static_cast<std::int64_t>(progress->nodes))));
  if (seconds && progress->seconds > 0) {
    add(fmt::format("{}/s", number(std::floor(nodes / progress->seconds))));
  }
  return text;
}

ProgressLine::ProgressLine(bool enabled, bool timeless)
    : enabled_(enabled && stderr_is_terminal()), timeless_(timeless) {
  if (enabled_) painter_ = std::thread([this] { run(); });
}

ProgressLine::~ProgressLine() {
  if (!enabled_) return;
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  wake_.notify_one();
  painter_.join();
  clear();
}

void ProgressLine::update(const Progress& progress) {
  const std::lock_guard lock(mutex_);
  latest_ = progress;
}

void ProgressLine::begin(std::string what) {
  const std::lock_guard lock(mutex_);
  what_ = std::move(what);
  latest_.reset();
}

void ProgressLine::interleave(const std::function<void()>& print) {
  const std::lock_guard lock(mutex_);
  clear();
  print();
}

void ProgressLine::run() {
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, kPace, [this] { return done_; })) paint();
}

void ProgressLine::paint() {
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
  std::string text =
      progress_text(latest_, timeless_ ? std::nullopt : std::optional(seconds), what_);
  const std::size_t room = stderr_columns() - 1;
  while (columns(text) > room) text.pop_back();
  const std::size_t now = columns(text);
  to_stderr('\r' + pad_right(std::move(text), painted_));
  painted_ = now;
}

void ProgressLine::clear() {
  if (painted_ == 0) return;
  to_stderr('\r' + std::string(painted_, ' ') + '\r');
  painted_ = 0;
}

}  // namespace pimbb::terminal
