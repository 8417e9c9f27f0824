// The option table and the checks of option values.
#include "dram_pim/cli/settings.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>
#include <stdexcept>

#include "pimbb/dram_pim/io.hpp"
#include "pimbb/error.hpp"

namespace pimbb::dram_pim::cli {
namespace {

[[noreturn]] void refuse(std::string_view option, std::string_view found,
                         std::string_view allowed) {
  throw InputError(fmt::format("{}: found '{}', allowed are {}", option, found, allowed));
}

/// The whole of `text` as a decimal integer in [low, high]; no octal, no trailing characters.
template <class Integer>
Integer integer(std::string_view option, const std::string& text, Integer low, Integer high) {
  Integer value{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || value < low || value > high) {
    refuse(option, text, fmt::format("integers {} .. {}", low, high));
  }
  return value;
}

double positive_seconds(std::string_view option, const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || !std::isfinite(value) || value <= 0) {
    refuse(option, text, "seconds > 0, such as 10 or 0.5");
  }
  return value;
}

/// A number of bytes, plain or in units of 1024: "512M", "4GiB".
std::uint64_t memory_size(std::string_view option, const std::string& text) {
  constexpr std::string_view kUnits = "KMGT";
  constexpr const char* kAllowed = "bytes >= 1, or with a unit: 512M, 4GiB (K, M, G, T)";
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  std::string_view unit(stop, static_cast<std::size_t>(end - stop));
  if (error != std::errc() || value == 0) refuse(option, text, kAllowed);
  if (unit.empty()) return value;
  const std::size_t power = kUnits.find(unit.front());
  unit.remove_prefix(1);
  if (power == std::string_view::npos || !(unit.empty() || unit == "iB")) {
    refuse(option, text, kAllowed);
  }
  const auto shift = static_cast<unsigned>(10 * (power + 1));
  if (value > (~std::uint64_t{0} >> shift)) refuse(option, text, kAllowed);
  return value << shift;
}

Rational weight(std::string_view option, const std::string& text) {
  try {
    Rational value = Rational::parse(text);
    if (value.sign() >= 0) return value;
  } catch (const std::invalid_argument&) {  // said below, with the option's name
  }
  refuse(option, text, "numbers >= 0, such as 1, 0.25 or 7/3");
}

/// The place of `text` among `names`.
template <class Names>
std::size_t one_of(std::string_view option, const std::string& text, const Names& names) {
  const auto at = std::ranges::find(names, text);
  if (at == names.end()) refuse(option, text, fmt::format("{}", fmt::join(names, ", ")));
  return static_cast<std::size_t>(at - names.begin());
}

std::string program_format(std::string_view option, const std::string& text) {
  return std::string(kProgramFormatNames[one_of(option, text, kProgramFormatNames)]);
}

io::TraceFormat trace_format(std::string_view option, const std::string& text) {
  return static_cast<io::TraceFormat>(one_of(option, text, io::kTraceFormatNames));
}

TensorFlags tensors(std::string_view option, const std::string& text) {
  TensorFlags flags{};
  std::istringstream list(text + ",");
  for (std::string name; std::getline(list, name, ',');) {
    const auto at = std::ranges::find(kTensorNames, name);
    if (at == kTensorNames.end()) {
      refuse(option, text,
             fmt::format("{}, or a list such as input,weight", fmt::join(kTensorNames, ", ")));
    }
    flags[static_cast<std::size_t>(at - kTensorNames.begin())] = true;
  }
  return flags;
}

LayoutChoice layout_choice(std::string_view option, const std::string& text) {
  if (text == "sequential") return LayoutChoice::sequential;
  if (text == "best") return LayoutChoice::best;
  refuse(option, text, "sequential, best");
}

std::string not_empty(std::string_view option, const std::string& text) {
  if (text.empty()) refuse(option, text, "a file or a name");
  return text;
}

std::string file(std::string_view option, const std::string& text) {
  if (text.empty() || text == "-") refuse(option, text, "files");
  return text;
}

Method parse_method(std::string_view option, const std::string& text) {
  return static_cast<Method>(one_of(option, text, kMethodNames));
}

std::vector<Rule> parse_rules(std::string_view option, const std::string& text) {
  std::vector<Rule> rules;
  std::istringstream list(text);
  for (std::string name; std::getline(list, name, ',');) {
    rules.push_back(static_cast<Rule>(one_of(option, name, kRuleNames)));
  }
  return rules;
}

void set_bounds(Rules& rules, std::string_view option, const std::string& text) {
  if (text != "lp,lattice") one_of(option, text, kBoundSets);
  rules.set(Rule::lattice, text.find("lattice") != std::string::npos);
  rules.set(Rule::lp, text.find("lp") != std::string::npos);
}

struct Row {
  const char* name;   ///< "COMMAND:" in front where the row is one command's own
  const char* value;  ///< what stands for the value in the help; null for a flag
  const char* group;
  const char* preset;  ///< shown as the default; "" for none
  const char* help;
  void (*store)(Settings&, std::string_view option, const std::string& text);
  Choices (*choices)() = nullptr;  ///< what `value` may be; null where that is not a list
};

constexpr const char* kProblem = "Problem";
constexpr const char* kGoal = "What to minimise";
constexpr const char* kMethod = "Method";
constexpr const char* kEffort = "Effort";
constexpr const char* kOutput = "Output";

// clang-format off: one option after the other, in the order of the help.
const Row kOptions[] = {
    {"--arch", "ARCH", kProblem, "simple_pim",
     "Accelerator: a YAML or JSON file, or the name of a preset",
     [](Settings& s, auto option, auto& text) { s.arch = not_empty(option, text); },
     values::architectures},
    {"--layer", "LAYER", kProblem, "",
     "Layer: a file with one layer (bounds R S P Q C K N, and G for the groups of a grouped or "
     "depthwise convolution), or NETWORK:LAYER for one layer of a network file or preset, "
     "MODEL.onnx:NODE for one of an ONNX model",
     [](Settings& s, auto option, auto& text) { s.layer = not_empty(option, text); },
     values::layers},
    {"--network", "NET", kProblem, "resnet18",
     "Network: a YAML or JSON file with a list of layers, an ONNX model (.onnx), or the name of a "
     "preset",
     [](Settings& s, auto option, auto& text) { s.network = not_empty(option, text); },
     values::networks},
    {"--agree-layouts", nullptr, kProblem, "",
     "One plan for all layers: a layer's output lies in DRAM where the next layer reads it, or is "
     "copied there at its true cost; needs a network with a graph",
     [](Settings& s, auto, auto&) { s.agree_layouts = true; }},
    {"--batch", "N", kProblem, "",
     "Batch of an ONNX model whose inputs leave their first dimension open (as a symbol)",
     [](Settings& s, auto option, auto& text) {
       s.network_options.batch =
           integer<std::int64_t>(option, text, 1, (std::int64_t{1} << 31) - 1);
     }},
    {"--mapping", "FILE", kProblem, "",
     "Mapping: a JSON file as 'pimbb map --json FILE' writes it, or a Timeloop mapping (YAML)",
     [](Settings& s, auto option, auto& text) { s.mapping = not_empty(option, text); },
     values::mappings},
    {"--layout", "LAYOUT", kProblem, "",
     "Layouts of the tensors in DRAM: sequential, or best (those that activate the fewest rows), "
     "instead of the mapping's own; a Timeloop mapping has none and is sequential without this",
     [](Settings& s, auto option, auto& text) { s.layout = layout_choice(option, text); },
     values::layouts},

    {"NAME", "", kProblem, "",
     "What to describe: a network preset's or an ONNX model's layers, an architecture's levels",
     [](Settings& s, auto option, auto& text) { s.preset = not_empty(option, text); },
     values::presets},

    {"--objective", "GOALS", kGoal, "latency",
     "latency, energy, edp (latency * energy), activations (of DRAM rows) or blended; a list "
     "such as latency,energy means the least energy among all mappings of least latency",
     [](Settings& s, auto, auto& text) { s.objective = Objective::parse(text); }, values::goals},
    {"--alpha", "X", kGoal, "1",
     "blended = alpha * latency + beta * energy; exact, 0.1 is one tenth",
     [](Settings& s, auto option, auto& text) { s.alpha = weight(option, text); }},
    {"--beta", "X", kGoal, "1", "See --alpha",
     [](Settings& s, auto option, auto& text) { s.beta = weight(option, text); }},
    {"--row-model", "MODEL", kGoal, "trace",
     "How DRAM row activations are counted: trace (the exact access stream, as a DRAM simulator "
     "counts it), or by the published formulas: analytic, hybrid (with micro-traces)",
     [](Settings& s, auto option, auto& text) { s.row_model = parse_row_model(option, text); },
     values::row_models},

    {"--fix-bypass", nullptr, kGoal, "",
     "One storage choice for all layers: levels with free bypass hold the same tensors in each",
     [](Settings& s, auto, auto&) { s.joint.fix_bypass = true; }},
    {"--fix-permutation", nullptr, kGoal, "",
     "One permutation of the seven dimensions for each level above the PEs, with which the order "
     "of every layer's loops there agrees; --method exact only",
     [](Settings& s, auto, auto&) { s.joint.fix_permutation = true; }},
    {"--per-layer", nullptr, kGoal, "",
     "Minimise each layer's own EDP, not the network's (total latency * total energy); for goals "
     "that are sums there is no difference",
     [](Settings& s, auto, auto&) { s.joint.per_layer = true; }},

    {"--method", "METHOD", kMethod, "exact",
     "exact (the best mapping there is); ws, os, is or rs (the best within the weight-, output-, "
     "input- or row-stationary dataflow, proven within it); greedy or random (heuristics, which "
     "prove nothing but how far they may be from the best)",
     [](Settings& s, auto option, auto& text) { s.method = parse_method(option, text); },
     values::methods},
    {"--seed", "N", kMethod, "1", "random: other numbers draw other mappings",
     [](Settings& s, auto option, auto& text) {
       s.seed = integer<std::uint64_t>(option, text, 0, ~std::uint64_t{0});
     }},
    {"--samples", "N", kMethod, "1000", "random: mappings to draw",
     [](Settings& s, auto option, auto& text) {
       s.samples = integer<std::uint64_t>(option, text, 1, std::uint64_t{1} << 40);
     }},

    {"rowmodel:--samples", "N", kEffort, "1000", "Mappings to draw of each layer",
     [](Settings& s, auto option, auto& text) {
       s.samples = integer<std::uint64_t>(option, text, 1, std::uint64_t{1} << 40);
     }},
    {"rowmodel:--seed", "N", kEffort, "1", "Other numbers draw other mappings",
     [](Settings& s, auto option, auto& text) {
       s.seed = integer<std::uint64_t>(option, text, 0, ~std::uint64_t{0});
     }},

    {"--threads", "N", kEffort, "0", "Threads, 0 for all cores; the answer does not depend on it",
     [](Settings& s, auto option, auto& text) { s.threads = integer(option, text, 0, 1024); }},
    {"--time-limit", "SECONDS", kEffort, "",
     "Stop after this time with the best mapping so far and a bound on how far it may be from the "
     "best",
     [](Settings& s, auto option, auto& text) { s.time_limit = positive_seconds(option, text); }},
    {"--node-limit", "N", kEffort, "",
     "Stop a layer after this many search nodes; unlike a time limit, this repeats exactly",
     [](Settings& s, auto option, auto& text) {
       s.node_limit = integer<std::uint64_t>(option, text, 1, std::uint64_t{1} << 62);
     }},

    {"--memory-limit", "SIZE", kEffort, "4GiB",
     "Memory for tables, open nodes and dominance labels, by account: bytes, or with a unit "
     "such as 512M. When it is used up the search goes on depth first, still exact",
     [](Settings& s, auto option, auto& text) { s.memory_limit = memory_size(option, text); }},
    {"--bounds", "SET", kEffort, "lattice,lp",
     "Bounds to prune by: lattice, lp, lattice,lp or none (for tiny layers only); the answer does "
     "not depend on it",
     [](Settings& s, auto option, auto& text) { set_bounds(s.rules, option, text); },
     values::bounds},
    {"--without", "RULES", kEffort, "",
     "Rules of the search to switch off, such as dominance,spatial; the answer does not depend on "
     "them",
     [](Settings& s, auto option, auto& text) {
       for (const Rule rule : parse_rules(option, text)) s.rules.set(rule, false);
     },
     values::rules},

    {"--json", "FILE", kOutput, "",
     "Also write the result as JSON; '-' writes only the JSON, to standard output",
     [](Settings& s, auto option, auto& text) { s.json = not_empty(option, text); },
     values::any_file},
    {"--proof", "FILE", kOutput, "",
     "Also write a proof of optimality or infeasibility, which 'pimbb-check FILE' verifies",
     [](Settings& s, auto option, auto& text) { s.proof = file(option, text); }, values::any_file},
    {"--log", "FILE", kOutput, "",
     "Also write progress as JSON lines, each at once: what is solved, every better mapping and in "
     "between the bound at a steady pace, and the result",
     [](Settings& s, auto option, auto& text) { s.log = file(option, text); }, values::any_file},
    {"--timeless", nullptr, kOutput, "",
     "Leave out what differs between two runs: seconds, rates, threads, measured memory; progress "
     "is then logged by nodes, not by the clock",
     [](Settings& s, auto, auto&) { s.timeless = true; }},

    {"--corpus", "CORPUS", kProblem, "full",
     "What to solve: full (all presets), small (a few seconds), or a file whose lines are ARCH "
     "NETWORK[:LAYER] ROW_MODEL OBJECTIVE",
     [](Settings& s, auto option, auto& text) { s.bench.corpus = not_empty(option, text); },
     values::corpora},
    {"bench:--arch", "ARCH", kProblem, "",
     "Only this accelerator instead of the corpus's: a file or the name of a preset",
     [](Settings& s, auto option, auto& text) { s.bench.arch = not_empty(option, text); },
     values::architectures},
    {"bench:--network", "NET", kProblem, "",
     "Only this network, or NETWORK:LAYER, instead of the corpus's: a file or the name of a preset",
     [](Settings& s, auto option, auto& text) { s.bench.network = not_empty(option, text); },
     values::networks},
    {"bench:--objective", "GOALS", kGoal, "", "Only this objective instead of the corpus's",
     [](Settings& s, auto, auto& text) { s.bench.objective = Objective::parse(text); },
     values::goals},
    {"bench:--row-model", "MODEL", kGoal, "", "Only this row model instead of the corpus's",
     [](Settings& s, auto option, auto& text) {
       s.bench.row_model = parse_row_model(option, text);
     },
     values::row_models},
    {"bench:--time-limit", "SECONDS", kEffort, "", "Give up on a case after this time",
     [](Settings& s, auto option, auto& text) { s.time_limit = positive_seconds(option, text); }},
    {"FILE", "", kProblem, "",
     "Linear program: MPS, fixed or free (.mps), or LP format (.lp); integer columns are relaxed",
     [](Settings& s, auto option, auto& text) { s.lp_file = not_empty(option, text); },
     values::linear_programs},
    {"lp:--time-limit", "SECONDS", kEffort, "", "Stop after this time with the bound so far",
     [](Settings& s, auto option, auto& text) { s.time_limit = positive_seconds(option, text); }},
    {"--iteration-limit", "N", kEffort, "",
     "Stop after this many simplex iterations; unlike a time limit, this repeats exactly",
     [](Settings& s, auto option, auto& text) {
       s.iteration_limit = integer<std::int64_t>(option, text, 0, std::int64_t{1} << 62);
     }},

    {"--repeat", "N", kEffort, "1", "Solve every case N times and report the median time",
     [](Settings& s, auto option, auto& text) { s.bench.repeat = integer(option, text, 1, 1000); }},
    {"--ablation", nullptr, kOutput, "",
     "Also solve each case without one rule after the other, up to 100 times its nodes, and "
     "compare nodes and times",
     [](Settings& s, auto, auto&) { s.bench.ablation = true; }},
    {"--signature-only", nullptr, kOutput, "",
     "Print only the two hashes: of the exact optima, and of the node counts",
     [](Settings& s, auto, auto&) { s.bench.signature_only = true; }},
    {"export:--row-model", "MODEL", kGoal, "hybrid",
     "How DRAM row activations are counted: analytic or hybrid (a trace is no linear matter)",
     [](Settings& s, auto option, auto& text) {
       s.program_row_model = parse_row_model(option, text);
     },
     values::linear_row_models},
    {"--format", "FORMAT", kOutput, "mps",
     "mps (free MPS, which every solver reads) or lp (CPLEX LP, which people read)",
     [](Settings& s, auto option, auto& text) { s.format = program_format(option, text); },
     values::program_formats},
    {"trace:--format", "FORMAT", kOutput, "ramulator",
     "ramulator (lines 'LD 0x..' and 'ST 0x..', which the DRAM simulator Ramulator 2 reads) or csv "
     "(a table with bank, row, column and the element's indices, to plot)",
     [](Settings& s, auto option, auto& text) { s.trace.format = trace_format(option, text); },
     values::trace_formats},
    {"--tensor", "TENSORS", kProblem, "input,weight,output",
     "Only these tensors' accesses: input, weight, output or a list of them",
     [](Settings& s, auto option, auto& text) { s.trace.tensors = tensors(option, text); },
     values::tensors},
    {"--limit", "N", kOutput, "", "Only the first N accesses",
     [](Settings& s, auto option, auto& text) {
       s.trace.limit = integer<std::int64_t>(option, text, 1, std::int64_t{1} << 62);
     }},
    {"trace:--json", "FILE", kOutput, "",
     "Also write the summary as JSON; '-' writes it to standard output instead of the report, "
     "where "
     "--output names a file",
     [](Settings& s, auto option, auto& text) { s.json = not_empty(option, text); },
     values::any_file},
    {"--output", "FILE", kOutput, "-", "File to write; '-' is standard output",
     [](Settings& s, auto option, auto& text) { s.output = not_empty(option, text); },
     values::any_file},

    {"SHELL", "", kProblem, "", "Whose completion: bash, zsh or fish",
     [](Settings& s, auto option, auto& text) {
       s.shell = kShellNames[one_of(option, text, kShellNames)];
     },
     values::shells},
    {"COMMAND", "", kProblem, "", "Whose page; without one, that of pimbb itself",
     [](Settings& s, auto option, auto& text) { s.command = not_empty(option, text); }},
    {"man:--format", "FORMAT", kOutput, "roff",
     "roff (for 'man -l -') or markdown (its tables of options, as in docs/commands)",
     [](Settings& s, auto option, auto& text) {
       s.page_format = kPageFormatNames[one_of(option, text, kPageFormatNames)];
     },
     values::page_formats},
};
// clang-format on

const Row& find(std::string_view name) {
  const auto* row = std::ranges::find(kOptions, name, &Row::name);
  if (row == std::end(kOptions)) throw std::logic_error("no option " + std::string(name));
  return *row;
}

}  // namespace

void add_options(CLI::App& app, Settings& settings, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    const Row& row = find(name);
    const std::string spelling(name.substr(name.find(':') + 1));
    const auto store = [&row, &settings, spelling](const std::string& text) {
      row.store(settings, spelling, text);
    };
    if (row.value == nullptr) {
      app.add_flag_callback(
             spelling, [store] { store(""); }, row.help)
          ->group(row.group);
      continue;
    }
    auto* option = app.add_option_function<std::string>(spelling, store, row.help);
    option->type_name(row.value)->group(row.group);
    if (*row.preset != '\0') option->default_str(row.preset);
  }
}

Choices choices(std::string_view command, std::string_view option) {
  const std::string own = fmt::format("{}:{}", command, option);
  const auto* row = std::ranges::find(kOptions, own, &Row::name);
  if (row == std::end(kOptions)) row = std::ranges::find(kOptions, option, &Row::name);
  return row == std::end(kOptions) || row->choices == nullptr ? Choices() : row->choices();
}

Question question_of(const Settings& settings) {
  Question question;
  question.objective = settings.objective;
  question.row_model = settings.row_model;
  question.method = settings.method;
  if (settings.method != Method::random && (settings.seed || settings.samples)) {
    throw InputError(fmt::format("{}: draws mappings for --method random, but --method is '{}'",
                                 settings.seed ? "--seed" : "--samples", name(settings.method)));
  }
  question.seed = settings.seed.value_or(question.seed);
  question.samples = settings.samples.value_or(question.samples);
  question.rules = settings.rules;
  if (settings.alpha || settings.beta) {
    if (std::ranges::count(settings.objective.goals, Goal::blended) == 0) {
      throw InputError(fmt::format("{}: weighs the objective 'blended', but --objective is '{}'",
                                   settings.alpha ? "--alpha" : "--beta",
                                   settings.objective.to_string()));
    }
    question.objective.alpha = settings.alpha.value_or(Rational(1));
    question.objective.beta = settings.beta.value_or(Rational(1));
  }
  return question;
}

RunLimits limits_of(const Settings& settings) {
  RunLimits limits;
  limits.threads = settings.threads;
  limits.time_limit = settings.time_limit;
  limits.node_limit = settings.node_limit;
  limits.memory_limit = settings.memory_limit;
  limits.timeless = settings.timeless;
  return limits;
}

JointOptions joint_options(const Settings& settings) {
  const JointOptions& joint = settings.joint;
  const char* agreement = joint.fix_bypass        ? "--fix-bypass"
                          : joint.fix_permutation ? "--fix-permutation"
                                                  : nullptr;
  if (agreement != nullptr && is_heuristic(settings.method)) {
    throw InputError(fmt::format("{}: needs a search that proves something, but --method is '{}'",
                                 agreement, name(settings.method)));
  }
  if (joint.fix_permutation && settings.method != Method::exact) {
    throw InputError(
        fmt::format("--fix-permutation: allowed with --method exact only, but --method is '{}'",
                    name(settings.method)));
  }
  if (agreement != nullptr && joint.per_layer) {
    throw InputError(fmt::format(
        "--per-layer: solves each layer for itself, but with {} they are to agree", agreement));
  }
  return joint;
}

std::string_view row_model_name(RowModel model) {
  return kRowModelNames[static_cast<std::size_t>(model)];
}

RowModel parse_row_model(std::string_view option, const std::string& text) {
  return static_cast<RowModel>(one_of(option, text, kRowModelNames));
}

void ask_for_layer() {
  std::string examples;
  for (const std::string& preset : network_presets()) {
    const Network network = read_network(preset);
    if (network.layers.empty()) continue;
    examples += fmt::format("\n  --layer {}:{}", preset, network.layers.back().workload.name);
  }
  throw InputError(
      "--layer: found none; allowed are a file with one layer, or NETWORK:LAYER. Try one of" +
      examples + "\n'pimbb presets NETWORK' lists the layers of a network.");
}

}  // namespace pimbb::dram_pim::cli
