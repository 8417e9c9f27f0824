// Settings that several commands of crossbar accelerators share, and the options that store to
// them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "crossbar/cli/words.hpp"
#include "pimbb/crossbar/io.hpp"
#include "pimbb/crossbar/solver.hpp"
#include "pimbb/io.hpp"
#include "terminal/machine_options.hpp"
#include "terminal/option_row.hpp"
#include "terminal/output_settings.hpp"

namespace pimbb::crossbar::cli {

/// An accelerator and a network.
struct ProblemSettings : MachineSettings {
  std::string network = "resnet18";
  NetworkOptions network_options;
};

struct Problem {
  Architecture architecture;
  NodeGraph graph;  ///< before wide nodes are split
  Partition partition;
  std::int64_t grouped = 0;  ///< convolutions with groups, which are stored dense
};

/// Reads both, and writes the warnings about the accelerator to standard error, unless reports are
/// off. Throws InputError where they are errors, and what the network has that crossbars do not
/// compute.
Problem read_problem(const ProblemSettings& settings, const OutputSettings& output);

/// A mapping of `problem` from a file. Throws InputError if it is missing or malformed, or breaks a
/// rule, which the message names.
Mapping read_given_mapping(const std::string& path, const Problem& problem);

/// --arch, --set, --strict, --network, --batch, --dim. `alone`: the network is also an argument.
OptionRows problem_rows(ProblemSettings& settings, bool alone);
/// --layer, which is also an argument, as the name of a network: of commands that other kinds have
/// for layers.
OptionRow layer_row(ProblemSettings& settings);
/// --mapping.
OptionRow mapping_row(std::string& mapping);
inline constexpr const char* kSeedOfSearches = "of the random steps that look for good mappings";
/// --seed; `of` is what it is the seed of.
OptionRow seed_row(std::uint64_t& seed,
                   const char* of = "of --method ga and of the random steps of exact");
/// --objective: ht or ll; `what`: how the help says so.
OptionRow ht_or_ll_row(Goal& goal, const char* what = "ht or ll");
/// --mode.
OptionRow mode_row(std::optional<Mode>& mode);

}  // namespace pimbb::crossbar::cli
