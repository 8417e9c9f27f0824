// One search at the terminal: the solver's options wired to Ctrl-C and to the progress line.
#pragma once

#include "cli/interrupt.hpp"
#include "cli/progress.hpp"
#include "cli/settings.hpp"

namespace pimbb::cli {

class Session {
 public:
  explicit Session(const Settings& settings)
      : options_(solve_options(settings)), progress_(!settings.quiet) {
    options_.stop = interrupt_.token();
    options_.on_progress = [this](const Progress& report) { progress_.update(report); };
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

}  // namespace pimbb::cli
