// Settings that several commands of DRAM-PIM share, and the options that store to them.
//
// The settings of a command are composed of these structs; an option has the same values, checks
// and help in every command.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dram_pim/cli/words.hpp"
#include "pimbb/dram_pim/io.hpp"
#include "pimbb/dram_pim/network.hpp"
#include "pimbb/dram_pim/solver.hpp"
#include "terminal/layer_options.hpp"
#include "terminal/limit_options.hpp"
#include "terminal/machine_options.hpp"
#include "terminal/option_row.hpp"
#include "terminal/output_settings.hpp"

namespace pimbb::dram_pim::cli {

// Words that options take, where no lower floor has a list of them.
inline constexpr std::array<std::string_view, 3> kLinearRowModels{"analytic", "hybrid", "none"};
inline constexpr std::array<std::string_view, 4> kBoundSets{"lattice", "lp", "lattice,lp", "none"};

/// An accelerator, with values that replace those of its file.
struct MachineSettings : terminal::MachineSettings {
  MachineSettings() { arch = "simple_pim"; }
};

/// An accelerator and one layer.
struct LayerSettings : MachineSettings {
  std::string layer;
  NetworkOptions network_options;
  std::optional<Padding> padding;  ///< instead of the layer's own
};

/// An accelerator and a network.
struct NetworkSettings : MachineSettings {
  std::string network = "resnet18";
  NetworkOptions network_options;
  std::optional<Padding> padding;  ///< of all layers, instead of their own
};

/// The layouts of a given mapping: those of its file, which may have none, or others.
enum class LayoutChoice : std::uint8_t { given, sequential, best };

/// A given mapping of one layer.
struct MappingSettings : LayerSettings {
  std::string mapping;
  LayoutChoice layout = LayoutChoice::given;
};

/// A whole device instead of one unit, if a name is given.
struct DeviceSettings {
  std::string device;
  std::optional<Moves> moves;
  bool moves_auto = false;  ///< of networks: weights stay or move, whichever is better
};

/// Goals, model and method, as the options say them: question_of() makes a Question of it.
struct QuestionSettings {
  Objective objective;
  std::optional<Rational> alpha, beta;
  std::vector<GoalCap> caps;
  std::string constraints;  ///< a file; add_constraints() reads it
  RowModel row_model = Question{}.row_model;
  Method method = Method::exact;
  std::optional<std::uint64_t> seed;     ///< of random
  std::optional<std::uint64_t> samples;  ///< of random
  Rules rules;
};

/// Throws InputError where options contradict each other (--alpha without the blended objective,
/// --seed without random).
Question question_of(const QuestionSettings& settings);

/// Adds the constraints of a file, if there is one, which are about an architecture.
void add_constraints(Question& question, const QuestionSettings& settings,
                     const Architecture& architecture);

/// Reads the architecture and writes the warnings about its file to standard error, unless reports
/// are off. Throws InputError where they are errors.
Architecture read_machine(const MachineSettings& settings, const OutputSettings& output);

/// Reads the device, with the changes of --set. Throws InputError if an accelerator is given too.
Device read_machine(const DeviceSettings& settings, const MachineSettings& machine,
                    const OutputSettings& output);
/// Those of the option, else of the layer, else input and output.
Moves moves_of(const DeviceSettings& settings, const Workload& layer);

/// The layer, without the plane of its input, which enters no formula of DRAM-PIM, and without a
/// padding that leaves its bounds as they are.
Workload read_layer(const LayerSettings& settings);
/// The network, likewise.
Network read_layers(const NetworkSettings& settings);

/// --arch, --set, --strict.
OptionRows machine_rows(MachineSettings& settings);
/// Sets what the option says for all layers of a network.
void set_moves(const DeviceSettings& settings, Network& network);
/// --device, --moves; of a network also `auto`.
OptionRows device_rows(DeviceSettings& settings, bool network = false);
/// --arch, --set, --strict, --layer, --batch, --dim, --skip-unsupported.
OptionRows layer_rows(LayerSettings& settings);
/// --pad.
OptionRow pad_row(std::optional<Padding>& padding);
/// These, --mapping and --layout.
OptionRows mapping_rows(MappingSettings& settings);
/// --objective, --alpha, --beta.
OptionRows objective_rows(QuestionSettings& settings);
/// --at-most.
OptionRow at_most_row(QuestionSettings& settings);
/// --constraints.
OptionRow constraints_row(QuestionSettings& settings);
OptionRow row_model_row(RowModel& model);
/// --method, --seed, --samples.
OptionRows method_rows(QuestionSettings& settings);
/// --method, of the proven ones only.
OptionRow dataflow_row(QuestionSettings& settings);
/// --bounds, --without.
OptionRows rules_rows(Rules& rules);

/// What the options of random mappings take.
std::uint64_t parse_samples(std::string_view option, const std::string& text);
std::uint64_t parse_seed(std::string_view option, const std::string& text);
/// The model called `text`; throws InputError, beginning with `option`, if there is none.
RowModel parse_row_model(std::string_view option, const std::string& text);
std::string_view row_model_name(RowModel model);

}  // namespace pimbb::dram_pim::cli
