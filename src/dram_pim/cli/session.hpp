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
      : options_(solve_options(settings)), progress_(!settings.quiet, settings.timeless) {
    options_.stop = interrupt_.token();
    if (!progress_.shown() && !log.wanted()) return;
    options_.on_progress = [this, &log](const Progress& report) {
      progress_.update(report);
      log.progress(report);
    };
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  [[nodiscard]] const SolveOptions& options() const { return options_; }
  [[nodiscard]] bool interrupted() const { return interrupt_.requested(); }
  ProgressLine& progress() { return progress_; }

 private:
  SolveOptions options_;
  Interrupt interrupt_;
  ProgressLine progress_;
};

}  // namespace pimbb::dram_pim::cli
