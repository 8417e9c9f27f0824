// Everything the command line can say, and the one table from which each subcommand's options come.
//
// A row of the table (settings.cpp) gives an option's name, the group it is shown in, its help, its
// default and the function that checks and stores its value. A subcommand only names the options it
// takes, so that an option reads, checks and explains itself the same everywhere.
#pragma once

#include "dram_pim/cli/words.hpp"

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "dram_pim/cli/choices.hpp"
#include "dram_pim/io/access_trace.hpp"
#include "pimbb/dram_pim/io.hpp"
#include "pimbb/dram_pim/solver.hpp"

namespace CLI {
class App;
}

namespace pimbb::dram_pim::cli {

// Words that options take, where no lower floor has a list of them.
inline constexpr std::array<std::string_view, 2> kProgramFormatNames{"mps", "lp"};
inline constexpr std::array<std::string_view, 2> kLinearRowModels{"analytic", "hybrid"};
inline constexpr std::array<std::string_view, 4> kBoundSets{"lattice", "lp", "lattice,lp", "none"};
inline constexpr std::array<std::string_view, 2> kCorpusNames{"full", "small"};
inline constexpr std::array<std::string_view, 3> kShellNames{"bash", "zsh", "fish"};
inline constexpr std::array<std::string_view, 2> kPageFormatNames{"roff", "markdown"};

/// What only `pimbb bench` takes. Absent: everything that the corpus has of it.
struct BenchSettings {
  std::string corpus = "full";
  std::optional<std::string> arch;
  std::optional<std::string> network;
  std::optional<Objective> objective;
  std::optional<RowModel> row_model;
  int repeat = 1;
  bool ablation = false;
  bool signature_only = false;
};

/// Where the layouts of a given mapping come from: its file, which may have none, or elsewhere.
enum class LayoutChoice : std::uint8_t { given, sequential, best };

struct Settings {
  // the problem
  std::string arch = "simple_pim";
  std::string layer;
  std::string network = "resnet18";
  std::string mapping;
  LayoutChoice layout = LayoutChoice::given;  ///< of the mapping
  NetworkOptions network_options;
  std::string preset;
  std::string lp_file;
  std::string shell;    ///< of a completion
  std::string command;  ///< of a page of the manual, empty for the program itself
  // the goal
  Objective objective;
  std::optional<Rational> alpha;
  std::optional<Rational> beta;
  RowModel row_model = Question{}.row_model;
  // how
  Method method = Method::exact;
  bool agree_layouts = false;            ///< of a network: one plan for all layers
  std::optional<std::uint64_t> seed;     ///< of random
  std::optional<std::uint64_t> samples;  ///< of random
  JointOptions joint;                    ///< of `pimbb network`
  // the effort
  int threads = 0;
  std::optional<double> time_limit;
  std::optional<std::uint64_t> node_limit;
  std::optional<std::int64_t> iteration_limit;
  Rules rules;
  std::uint64_t memory_limit = RunLimits{}.memory_limit;  ///< bytes
  // the output
  std::string json;            ///< path, "-" for standard output, empty for none
  std::string proof;           ///< path of the proof of optimality, empty for none
  std::string format = "mps";  ///< of an exported program: mps or lp
  RowModel program_row_model = RowModel::hybrid;  ///< of an exported program
  std::string output = "-";  ///< where it goes, or a trace; "-" for standard output
  std::string log;           ///< path of the log, empty for none
  bool timeless = false;     ///< leave out what differs between two runs
  bool quiet = false;        ///< no report, no progress
  bool ascii = false;        ///< no Unicode
  std::string page_format = "roff";
  const CLI::App* parser = nullptr;  ///< all commands and options, for what is made of them
  BenchSettings bench;
  io::TraceOptions trace;  ///< of `pimbb trace`

  [[nodiscard]] bool reports() const { return !quiet && json != "-"; }
};

/// Adds the named options of the table to `app`; parsing stores into `settings`. A value that is
/// not allowed throws InputError naming option, value and what is allowed. Where an option means
/// something else to one command, its row is called "COMMAND:--option".
void add_options(CLI::App& app, Settings& settings, std::initializer_list<std::string_view> names);

/// What `option` of `command` takes, by the table; nothing where it is not a row of it.
Choices choices(std::string_view command, std::string_view option);

/// Objective, row model and method for the solver. Throws InputError where options
/// contradict each other (--alpha without the blended objective, --seed without random).
Question question_of(const Settings& settings);
/// Limits of the run.
RunLimits limits_of(const Settings& settings);

/// What the layers of a network are solved for together. Throws InputError where options contradict
/// each other (--fix-bypass with a heuristic, or with --per-layer).
JointOptions joint_options(const Settings& settings);

std::string_view row_model_name(RowModel model);
/// The model called `text`; throws InputError, beginning with `option`, if there is none.
RowModel parse_row_model(std::string_view option, const std::string& text);

/// The message for a missing --layer, with layers one can try.
[[noreturn]] void ask_for_layer();

}  // namespace pimbb::dram_pim::cli
