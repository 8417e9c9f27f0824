// One search of a command: its limits, with Ctrl-C, the progress line and the log attached.
#pragma once

#include "terminal/interrupt.hpp"
#include "terminal/log.hpp"
#include "terminal/output_settings.hpp"
#include "terminal/progress.hpp"

namespace pimbb::terminal {

class Session {
 public:
  Session(RunLimits limits, const OutputSettings& output, Log& log)
      : limits_(std::move(limits)),
        interrupt_(output.caller),
        progress_(!output.quiet, output.timeless) {
    limits_.stop = interrupt_.token();
    if (output.caller != nullptr) limits_.on_progress = output.caller->on_progress;
    if (!progress_.shown() && !log.wanted()) return;
    limits_.on_progress = [this, &log](const Progress& report) {
      progress_.update(report);
      log.progress(report);
    };
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  [[nodiscard]] const RunLimits& limits() const { return limits_; }
  [[nodiscard]] bool interrupted() const { return interrupt_.requested(); }
  ProgressLine& progress() { return progress_; }

 private:
  RunLimits limits_;
  Interrupt interrupt_;
  ProgressLine progress_;
};

}  // namespace pimbb::terminal
