// Names of a case to a question to the solver.
#include "cim/cli/bench_corpus.hpp"

#include <fmt/format.h>

#include <map>
#include <memory>

#include "cim/cli/verdict.hpp"
#include "cim/io/result_json.hpp"
#include "pimbb/cim/io.hpp"
#include "terminal/format.hpp"
#include "terminal/option_values.hpp"

namespace pimbb::cim::cli {
namespace {

using Machines = std::map<std::string, std::shared_ptr<const Architecture>>;

/// What the solver depends on of a layer.
std::string problem_of(const Workload& layer) {
  const auto& plane = layer.input_plane;
  return shape(layer) + (plane ? fmt::format(" of {} x {}", plane->width, plane->height) : "");
}

void complete(BenchCase& problem, Machines& machines) {
  Question question;
  question.pricing.semantics =
      static_cast<Semantics>(place_among("semantics", problem.model, kSemanticsNames));
  question.objective = Objective::parse(problem.objective);
  std::shared_ptr<const Architecture>& machine = machines[problem.architecture];
  if (!machine) machine = std::make_shared<Architecture>(read_architecture(problem.architecture));
  problem.objective = question.objective.to_string();
  problem.problem = fmt::format("{}\n{}\n{}\n{}", problem.architecture,
                                problem_of(problem.workload), problem.model, problem.objective);
  problem.describe_architecture = [machine] { return io::architecture_json(*machine); };
  problem.solve = [machine, question, workload = problem.workload](const RunLimits& limits,
                                                                   std::string_view) {
    const auto solution = std::make_shared<Solution>(solve(*machine, workload, question, limits));
    return bench_answer(*solution,
                        io::stats_json(*solution, solution->seconds, solution->threads, true),
                        [solution](Log& log) { log_solution(log, "case", *solution); });
  };
}

}  // namespace

BenchKind bench_kind() {
  return {.model_key = "semantics",
          .model_header = "latency",
          .model_option = "--semantics",
          .model_word = "SEMANTICS",
          .totals = {{"solved", "schemes", "schemes searched"}, {"labels", "labels", "labels"}},
          .searched = {"schemes", "solved", "labels"},
          .columns = {"schemes", "solved", "states", "labels", "candidates", "memory"}};
}

CorpusKind corpus_kind() {
  // Networks are a list of their own, so that figures stay comparable when presets are added.
  return {.full = {architecture_presets(),
                   {"alexnet", "bert_base", "mobilenet_v1", "resnet18", "resnet50", "vgg16"}},
          .small = {{"miredo_default"}, {"bert_base", "resnet18"}},
          .models = {"recursion", "table3"},
          .objectives = {"latency", "energy", "edp", "blended"},
          .complete = [machines = std::make_shared<Machines>()](BenchCase& problem) {
            complete(problem, *machines);
          }};
}

}  // namespace pimbb::cim::cli
