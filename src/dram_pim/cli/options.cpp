// Rows of the shared options, and the checks of their values.
#include "dram_pim/cli/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "dram_pim/cli/values.hpp"
#include "pimbb/dram_pim/padded.hpp"
#include "pimbb/error.hpp"
#include "terminal/at_most.hpp"
#include "terminal/option_values.hpp"
#include "terminal/warnings.hpp"

namespace pimbb::dram_pim::cli {
namespace {

LayoutChoice layout_choice(std::string_view option, const std::string& text) {
  if (text == "sequential") return LayoutChoice::sequential;
  if (text == "best") return LayoutChoice::best;
  terminal::refuse(option, text, "sequential, best");
}

Method parse_method(std::string_view option, const std::string& text) {
  return static_cast<Method>(place_among(option, text, kMethodNames));
}

std::vector<Rule> parse_rules(std::string_view option, const std::string& text) {
  std::vector<Rule> rules;
  std::istringstream list(text);
  for (std::string name; std::getline(list, name, ',');) {
    rules.push_back(static_cast<Rule>(place_among(option, name, kRuleNames)));
  }
  return rules;
}

void set_padding(Workload& layer, const std::optional<Padding>& padding) {
  if (padding) layer.padding = padding;
  if (!layer.may_be_padded()) layer.padding.reset();
}

Moves parse_moves(std::string_view option, const std::string& text) {
  Moves moves{};
  if (text == "none") return moves;
  std::istringstream list(text);
  for (std::string word; std::getline(list, word, ',');) {
    const std::size_t t = place_among(option, word, kTensorNames);
    if (moves[t]) terminal::refuse(option, text, "each tensor once");
    moves[t] = true;
  }
  return moves;
}

void set_bounds(Rules& rules, std::string_view option, const std::string& text) {
  if (text != "lp,lattice") place_among(option, text, kBoundSets);
  rules.set(Rule::lattice, text.find("lattice") != std::string::npos);
  rules.set(Rule::shared, rules.has(Rule::lattice));
  rules.set(Rule::lp, text.find("lp") != std::string::npos);
}

}  // namespace

OptionRows machine_rows(MachineSettings& s) {
  return terminal::machine_rows(
      s, "simple_pim", architecture_presets,
      "Another value for a key of the accelerator, such as pe_array.dim_h=16 or "
      "levels.GlobalBuffer.entries=256; once for each key");
}

Architecture read_machine(const MachineSettings& settings, const OutputSettings& output) {
  Architecture architecture = read_architecture(settings.arch, settings.set);
  terminal::warn(architecture.warnings, settings.strict, output.quiet);
  return architecture;
}

Device read_machine(const DeviceSettings& settings, const MachineSettings& machine,
                    const OutputSettings& output) {
  if (machine.arch_given) {
    throw InputError("--device: found beside --arch; allowed is one of them: a device has units");
  }
  Device device = read_device(settings.device, machine.set);
  terminal::warn(device.warnings, machine.strict, output.quiet);
  return device;
}

Moves moves_of(const DeviceSettings& settings, const Workload& layer) {
  if (settings.moves) return *settings.moves;
  return layer.moves.value_or(kDefaultMoves);
}

void set_moves(const DeviceSettings& settings, Network& network) {
  if (!settings.moves && !settings.moves_auto) return;
  network.moves_auto = settings.moves_auto;
  for (NetworkLayer& layer : network.layers) layer.workload.moves = settings.moves;
}

OptionRows device_rows(DeviceSettings& s, bool network) {
  return {
      {"--device", "DEVICE", groups::kProblem, "",
       "Whole device instead of one unit (--arch): the name of a preset, or a YAML or JSON file "
       "(docs/devices.md)",
       [&](auto option, auto& text) { s.device = not_empty(option, text); }, values::devices},
      {"--moves", "TENSORS", groups::kProblem, "input,output",
       network ? "Tensors that move between the host and the units of a device, such as "
                 "input,weight,output, or none; the others are in the banks; auto: each layer's "
                 "weight stays there or moves, whichever is better"
               : "Tensors that move between the host and the units of a device, such as "
                 "input,weight,output, or none; the others are in the banks",
       [&s, network](auto option, auto& text) {
         s.moves_auto = network && text == "auto";
         s.moves.reset();
         if (!s.moves_auto) s.moves = parse_moves(option, text);
       }}};
}

Workload read_layer(const LayerSettings& settings) {
  Workload layer = read_workload(settings.layer, settings.network_options);
  layer.input_plane.reset();
  set_padding(layer, settings.padding);
  return layer;
}

Network read_layers(const NetworkSettings& settings) {
  Network network = without_input_planes(read_network(settings.network, settings.network_options));
  for (NetworkLayer& layer : network.layers) set_padding(layer.workload, settings.padding);
  return network;
}

OptionRow pad_row(std::optional<Padding>& padding) {
  return {"--pad",
          "PADDING",
          groups::kProblem,
          "as the layer's file says",
          "How far loop bounds may grow (docs/padding.md): 12.5% or 1 for all dimensions, or "
          "P=2,K=12.5% for some; the optimum is that of all padded bounds together",
          [&](auto option, auto& text) { padding = Padding::parse(text, option); }};
}

OptionRow row_model_row(RowModel& model) {
  return {"--row-model",
          "MODEL",
          groups::kGoal,
          "trace",
          "How DRAM row activations are counted: trace (exactly, in the access stream, as a DRAM "
          "simulator counts them); analytic or hybrid (published formulas; hybrid adds "
          "micro-traces); none "
          "(opening rows costs nothing)",
          [&](auto option, auto& text) { model = parse_row_model(option, text); },
          values::row_models};
}

OptionRows layer_rows(LayerSettings& s) {
  return rows_of({machine_rows(s),
                  {layer_row(s.layer), batch_row(s.network_options), dim_row(s.network_options),
                   skip_row(s.network_options)}});
}

OptionRows mapping_rows(MappingSettings& s) {
  return rows_of(
      {layer_rows(s),
       {{"--mapping", "FILE", groups::kProblem, "",
         "Mapping: a JSON file as 'pimbb map --json FILE' writes it, or a Timeloop mapping (YAML)",
         [&](auto option, auto& text) { s.mapping = not_empty(option, text); }, values::mappings},
        {"--layout", "LAYOUT", groups::kProblem, "",
         "Layouts of the tensors in DRAM: sequential, or best (those that activate the fewest "
         "rows), "
         "instead of the mapping's own; a Timeloop mapping has none and is sequential without this",
         [&](auto option, auto& text) { s.layout = layout_choice(option, text); },
         values::layouts}}});
}

OptionRows objective_rows(QuestionSettings& s) {
  return {{"--objective", "GOALS", groups::kGoal, "latency",
           "latency, energy, edp (latency * energy), activations (of DRAM rows) or blended; a list "
           "such as latency,energy means the least energy among all mappings of least latency",
           [&](auto, auto& text) { s.objective = Objective::parse(text); }, values::goals},
          {"--alpha", "X", groups::kGoal, "1",
           "blended = alpha * latency + beta * energy; exact, 0.1 is one tenth",
           [&](auto option, auto& text) { s.alpha = weight(option, text); }},
          {"--beta", "X", groups::kGoal, "1", "See --alpha",
           [&](auto option, auto& text) { s.beta = weight(option, text); }}};
}

OptionRow at_most_row(QuestionSettings& s) { return terminal::at_most_row(s.caps, kGoalNames); }

OptionRow constraints_row(QuestionSettings& s) {
  return {"--constraints",
          "FILE",
          groups::kGoal,
          "",
          "Constraints on mappings (docs/constraints.md): a YAML or JSON file that fixes or bounds "
          "factors, loop orders, stored tensors and layouts; the optimum is that of the mappings "
          "that satisfy all of them",
          [&](auto option, auto& text) { s.constraints = not_empty(option, text); },
          any_file};
}

void add_constraints(Question& question, const QuestionSettings& settings,
                     const Architecture& architecture) {
  if (settings.constraints.empty()) return;
  if (is_heuristic(question.method)) {
    throw InputError(
        fmt::format("--constraints: found --method {}, which does not keep them; "
                    "allowed are exact, ws, os, is, rs",
                    name(question.method)));
  }
  question.constraints = read_constraints(settings.constraints, architecture);
}

OptionRows method_rows(QuestionSettings& s) {
  return {
      {"--method", "METHOD", groups::kMethod, "exact",
       "exact (the proven optimum); ws, os, is or rs (the proven optimum within the weight-, "
       "output-, input- or row-stationary dataflow); greedy or random (heuristics: the report "
       "states their proven gap)",
       [&](auto option, auto& text) { s.method = parse_method(option, text); }, values::methods},
      {"--seed", "N", groups::kMethod, "1", "Seed of the random numbers of --method random",
       [&](auto option, auto& text) { s.seed = parse_seed(option, text); }},
      {"--samples", "N", groups::kMethod, "1000", "Number of mappings that --method random draws",
       [&](auto option, auto& text) { s.samples = parse_samples(option, text); }}};
}

OptionRow dataflow_row(QuestionSettings& s) {
  return {"--method",
          "METHOD",
          groups::kMethod,
          "exact",
          "exact (all mappings); ws, os, is or rs (those within the weight-, output-, input- or "
          "row-stationary dataflow)",
          [&](auto option, auto& text) {
            s.method = parse_method(option, text);
            if (is_heuristic(s.method)) refuse(option, text, "exact, ws, os, is, rs");
          }};
}

OptionRows rules_rows(Rules& rules) {
  return {{"--bounds", "SET", groups::kEffort, "lattice,lp",
           "Bounds used for pruning: lattice, lp, lattice,lp or none (for tiny layers only); the "
           "answer does not depend on it",
           [&](auto option, auto& text) { set_bounds(rules, option, text); }, values::bounds},
          {"--without", "RULES", groups::kEffort, "",
           "Pruning rules to disable, such as dominance,spatial; the answer does not depend on "
           "them",
           [&](auto option, auto& text) {
             for (const Rule rule : parse_rules(option, text)) rules.set(rule, false);
           },
           values::rules}};
}

std::uint64_t parse_seed(std::string_view option, const std::string& text) {
  return integer<std::uint64_t>(option, text, 0, ~std::uint64_t{0});
}

std::uint64_t parse_samples(std::string_view option, const std::string& text) {
  return integer<std::uint64_t>(option, text, 1, std::uint64_t{1} << 40);
}

Question question_of(const QuestionSettings& settings) {
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
  question.caps = settings.caps;
  const bool blends = std::ranges::count(settings.caps, Goal::blended, &GoalCap::goal) > 0;
  if (settings.alpha || settings.beta) {
    if (!settings.objective.is_weighted() && !blends) {
      throw InputError(fmt::format("{}: weighs the objective 'blended', but --objective is '{}'",
                                   settings.alpha ? "--alpha" : "--beta",
                                   settings.objective.to_string()));
    }
    question.objective.alpha = settings.alpha.value_or(Rational(1));
    question.objective.beta = settings.beta.value_or(Rational(1));
  }
  return question;
}

std::string_view row_model_name(RowModel model) { return name(model); }

RowModel parse_row_model(std::string_view option, const std::string& text) {
  return static_cast<RowModel>(place_among(option, text, kRowModelNames));
}

}  // namespace pimbb::dram_pim::cli
