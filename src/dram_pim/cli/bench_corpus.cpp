// Names of a case to a problem of the solver.
#include "dram_pim/cli/bench_corpus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "dram_pim/cli/log_solution.hpp"
#include "dram_pim/cli/options.hpp"
#include "dram_pim/io/result_json.hpp"
#include "pimbb/dram_pim/io.hpp"
#include "terminal/format.hpp"

namespace pimbb::dram_pim::cli {
namespace {

using Machines = std::map<std::string, std::shared_ptr<const Architecture>>;

Rule rule_called(std::string_view name) {
  return static_cast<Rule>(std::ranges::find(kRuleNames, name) - kRuleNames.begin());
}

void complete(BenchCase& problem, const Rules& rules, Machines& machines) {
  Question question;
  question.rules = rules;
  question.row_model = parse_row_model("row model", problem.model);
  question.objective = Objective::parse(problem.objective);
  std::shared_ptr<const Architecture>& machine = machines[problem.architecture];
  if (!machine) machine = std::make_shared<Architecture>(read_architecture(problem.architecture));
  problem.workload.input_plane.reset();
  problem.model = row_model_name(question.row_model);
  problem.objective = question.objective.to_string();
  problem.problem = fmt::format("{}\n{}\n{}\n{}", problem.architecture, shape(problem.workload),
                                problem.model, problem.objective);
  problem.describe_architecture = [machine] { return io::architecture_json(*machine); };
  problem.solve = [machine, question, workload = problem.workload](const RunLimits& limits,
                                                                   std::string_view without) {
    Question own = question;
    if (!without.empty()) own.rules = own.rules.without(rule_called(without));
    const auto solution = std::make_shared<Solution>(solve(*machine, workload, own, limits));
    return bench_answer(*solution, io::statistics_json(*solution),
                        [solution](Log& log) { log_solution(log, "case", *solution); });
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
  // The networks of the full corpus: a list of its own, so that its figures stay comparable when
  // presets are added.
  return {.full = {architecture_presets(),
                   {"alexnet", "bert_base", "llama_7b", "mobilenet_v1", "resnet18", "resnet50",
                    "vgg16"}},
          .small = {{"simple_pim", "default_pim"}, {"alexnet", "bert_base"}},
          .models = {"analytic", "hybrid", "trace"},
          .objectives = {"latency", "energy", "edp", "blended"},
          .complete = [rules, machines = std::make_shared<Machines>()](BenchCase& problem) {
            complete(problem, rules, *machines);
          }};
}

}  // namespace pimbb::dram_pim::cli
