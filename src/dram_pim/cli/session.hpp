// One search at the terminal: the solver's options wired to Ctrl-C, the progress line and the log.
#pragma once

#include "dram_pim/cli/words.hpp"

#include "dram_pim/cli/log.hpp"
#include "dram_pim/cli/progress.hpp"
#include "dram_pim/cli/settings.hpp"
#include "terminal/interrupt.hpp"

namespace pimbb::dram_pim::cli {

class Session {
 public:
  Session(const Settings& settings, Log& log)
      : question_(question_of(settings)),
        limits_(limits_of(settings)),
        progress_(!settings.quiet, settings.timeless) {
    limits_.stop = interrupt_.token();
    if (!progress_.shown() && !log.wanted()) return;
    limits_.on_progress = [this, &log](const Progress& report) {
      progress_.update(report);
      log.progress(report);
    };
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  [[nodiscard]] const Question& question() const { return question_; }
  [[nodiscard]] const RunLimits& limits() const { return limits_; }
  [[nodiscard]] bool interrupted() const { return interrupt_.requested(); }
  ProgressLine& progress() { return progress_; }

 private:
  Question question_;
  RunLimits limits_;
  Interrupt interrupt_;
  ProgressLine progress_;
};

}  // namespace pimbb::dram_pim::cli
