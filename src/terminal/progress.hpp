// The progress line on standard error, rewritten once a second.
//
// The solver reports between two rounds, at very irregular intervals. A separate thread therefore
// repaints the last report at a regular interval, so that the displayed time advances. Nothing is
// shown in the first second, or if standard error is not a terminal.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "pimbb/run_limits.hpp"

namespace pimbb::terminal {

/// "gap 4.93 %  3 s  conv1  latency  best 1,900,000  bound 1,806,336  12,345 nodes  4,567/s", what
/// matters most first, as a narrow terminal cuts the end. Without a report yet, only seconds and
/// `what`; without seconds, neither these nor the rate.
std::string progress_text(const std::optional<Progress>& progress, std::optional<double> seconds,
                          const std::string& what = "");

class ProgressLine {
 public:
  ProgressLine(bool enabled, bool timeless);
  ~ProgressLine();  ///< clears the line
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Whether the line is displayed.
  [[nodiscard]] bool shown() const { return enabled_; }
  /// The solver's newest report.
  void update(const Progress& progress);
  /// Sets the text before the report, the current problem, and discards the last report.
  void begin(std::string what);
  /// Runs `print` with the line cleared, so that output on the same terminal does not mix with it.
  void interleave(const std::function<void()>& print);

 private:
  void run();
  void paint();  // these two with the mutex held
  void clear();

  std::mutex mutex_;
  std::condition_variable wake_;
  bool enabled_;
  bool timeless_;
  bool done_ = false;
  std::string what_;
  std::optional<Progress> latest_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::size_t painted_ = 0;  ///< columns on the screen now
  std::thread painter_;
};

}  // namespace pimbb::terminal
