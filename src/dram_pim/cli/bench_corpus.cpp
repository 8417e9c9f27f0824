// Names of a case to a problem of the solver.
#include "dram_pim/cli/bench_corpus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "dram_pim/cli/bench_hard.hpp"
#include "dram_pim/cli/log_solution.hpp"
#include "dram_pim/cli/options.hpp"
#include "dram_pim/io/device_json.hpp"
#include "dram_pim/io/result_json.hpp"
#include "pimbb/dram_pim/io.hpp"
#include "pimbb/dram_pim/padded.hpp"
#include "terminal/format.hpp"

namespace pimbb::dram_pim::cli {
namespace {

using Machines = std::map<std::string, std::shared_ptr<const Architecture>>;

Rule rule_called(std::string_view name) {
  return static_cast<Rule>(std::ranges::find(kRuleNames, name) - kRuleNames.begin());
}

/// The question of a case's names, which become those of documents.
Question question_of_names(BenchCase& problem, const Rules& rules) {
  Question question;
  question.rules = rules;
  question.row_model = parse_row_model("row model", problem.model);
  question.objective = Objective::parse(problem.objective);
  problem.model = row_model_name(question.row_model);
  problem.objective = question.objective.to_string();
  problem.workload.input_plane.reset();
  problem.problem = fmt::format("{}\n{}\n{}\n{}", problem.architecture, shape(problem.workload),
                                problem.model, problem.objective);
  return question;
}

Question without_rule(Question question, std::string_view rule) {
  if (!rule.empty()) question.rules = question.rules.without(rule_called(rule));
  return question;
}

void complete(BenchCase& problem, const Rules& rules, Machines& machines) {
  const Question question = question_of_names(problem, rules);
  if (problem.workload.may_be_padded()) {
    problem.problem += fmt::format("\n{}", fmt::join(problem.workload.tops(), " "));
  }
  std::shared_ptr<const Architecture>& machine = machines[problem.architecture];
  if (!machine) machine = std::make_shared<Architecture>(read_architecture(problem.architecture));
  problem.describe_architecture = [machine] { return io::architecture_json(*machine); };
  problem.solve = [machine, question, workload = problem.workload](const RunLimits& limits,
                                                                   std::string_view without) {
    const auto solution = std::make_shared<Solution>(
        solve_padded(*machine, workload, without_rule(question, without), limits));
    return bench_answer(*solution, io::statistics_json(*solution),
                        [solution](Log& log) { log_solution(log, "case", *solution); });
  };
}

using Devices = std::map<std::string, std::shared_ptr<const Device>>;

files::Json device_counts(const DeviceSolution& solution) {
  files::Json counts = files::Json::object();
  counts["splits"] = solution.splits;
  counts["slices"] = solution.slices;
  counts["slices_solved"] = solution.slices_solved;
  counts.update(io::statistics_json(solution));
  return counts;
}

void complete_on_device(BenchCase& problem, const Rules& rules, Devices& devices) {
  const Question question = question_of_names(problem, rules);
  std::shared_ptr<const Device>& device = devices[problem.architecture];
  if (!device) device = std::make_shared<Device>(read_device(problem.architecture));
  const Moves moves = problem.workload.moves.value_or(kDefaultMoves);
  for (const bool moved : moves) problem.problem += moved ? " moves" : " stays";
  problem.describe_architecture = [device] { return io::device_json(*device); };
  problem.solve = [device, moves, question, workload = problem.workload](const RunLimits& limits,
                                                                         std::string_view without) {
    const auto solution = std::make_shared<DeviceSolution>(
        solve(*device, workload, moves, without_rule(question, without), limits));
    return bench_answer(*solution, device_counts(*solution),
                        [solution](Log& log) { log_solution(log, "case", solution->claim()); });
  };
}

}  // namespace

BenchKind bench_kind() {
  return {.model_key = "row_model",
          .model_header = "rows",
          .model_option = "--row-model",
          .model_word = "ROW_MODEL",
          .totals = {{"nodes", "nodes", "nodes"}, {"leaves", "leaves", "mappings evaluated"}},
          .searched = {"nodes", "lp_iterations"},
          .columns = {"nodes", "leaves", "lp_solves", "lp_iterations", "memory"}};
}

CorpusKind corpus_kind(const Rules& rules) {
  const auto machines = std::make_shared<Machines>();
  // The networks of the full corpus: a list of its own, so that its figures stay comparable when
  // presets are added.
  return {
      .full = {architecture_presets(),
               {"alexnet", "bert_base", "llama_7b", "mobilenet_v1", "resnet18", "resnet50",
                "vgg16"}},
      .small = {{"simple_pim", "default_pim"}, {"alexnet", "bert_base"}},
      .models = {"analytic", "hybrid", "trace"},
      .objectives = {"latency", "energy", "edp", "blended"},
      .hard =
          [machines] {
            for (Architecture& machine : hard_machines()) {
              std::string name = machine.name;
              (*machines)[name] = std::make_shared<Architecture>(std::move(machine));
            }
            return hard_cases();
          },
      .complete = [rules, machines](BenchCase& problem) { complete(problem, rules, *machines); }};
}

BenchKind device_bench_kind() {
  BenchKind kind = bench_kind();
  kind.machine = "device";
  kind.machine_word = "DEVICE";
  kind.totals = {{"slices_solved", "slices", "slices searched"}, {"nodes", "nodes", "nodes"}};
  kind.searched = {"slices", "slices_solved", "nodes"};
  kind.columns = {"splits", "slices", "slices_solved", "nodes", "leaves", "memory"};
  return kind;
}

CorpusKind device_corpus_kind(const Rules& rules) {
  // Devices and networks are lists of their own, for the same reason.
  const std::vector<std::string> devices{"hbm_pim_stack", "gddr6_aim_sdk_chip", "upmem_dimm"};
  return {.full = {devices, {"decode_gemvs", "resnet18", "resnet50"}},
          .small = {devices, {"decode_gemvs"}},
          .models = {"trace"},
          .objectives = {"latency", "energy", "edp"},
          .complete = [rules, devices = std::make_shared<Devices>()](BenchCase& problem) {
            complete_on_device(problem, rules, *devices);
          }};
}

}  // namespace pimbb::dram_pim::cli
