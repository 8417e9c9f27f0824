// Settings that several commands of SRAM compute-in-memory share, and the options that store to
// them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cim/cli/words.hpp"
#include "pimbb/cim/io.hpp"
#include "pimbb/io.hpp"
#include "terminal/layer_options.hpp"
#include "terminal/limit_options.hpp"
#include "terminal/machine_options.hpp"
#include "terminal/option_row.hpp"
#include "terminal/output_settings.hpp"

namespace pimbb::cim::cli {

/// An accelerator and one layer.
struct LayerSettings : MachineSettings {
  std::string layer;
  NetworkOptions network_options;
};

/// The question, as the options say it: question_of() completes it.
struct QuestionSettings {
  Question question;
  std::optional<Rational> alpha, beta;
};

/// Throws InputError where options contradict each other (--alpha without the blended objective).
Question question_of(const QuestionSettings& settings);

/// Reads the architecture and writes the warnings about its file to standard error, unless reports
/// are off. Throws InputError where they are errors.
Architecture read_machine(const MachineSettings& settings, const OutputSettings& output);

/// --arch, --set, --strict.
OptionRows machine_rows(MachineSettings& settings);
/// These, --layer, --batch, --dim, --skip-unsupported.
OptionRows layer_rows(LayerSettings& settings);
/// --objective, --alpha, --beta.
OptionRows objective_rows(QuestionSettings& settings);
/// --at-most.
OptionRow at_most_row(QuestionSettings& settings);
/// --semantics, --contention, --pad.
OptionRows pricing_rows(Pricing& pricing);
/// --method, --factors, --schemes, --double.
OptionRows space_rows(Question& question);

}  // namespace pimbb::cim::cli
