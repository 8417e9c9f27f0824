// Names of a case to a question to the solver.
#include "crossbar/cli/bench_corpus.hpp"

#include <fmt/format.h>

#include <map>
#include <memory>

#include "crossbar/cli/answer.hpp"
#include "crossbar/io/architecture_json.hpp"
#include "terminal/option_values.hpp"

namespace pimbb::crossbar::cli {
namespace {

/// Problems by the names of their accelerator and network, each read once.
using Problems = std::map<std::pair<std::string, std::string>, std::shared_ptr<const Problem>>;

std::shared_ptr<const Problem> read_once(Problems& problems, const BenchCase& asked) {
  std::shared_ptr<const Problem>& problem = problems[{asked.architecture, asked.layer}];
  if (!problem) {
    ProblemSettings settings;
    settings.arch = asked.architecture;
    settings.network = asked.layer;
    OutputSettings silent;
    silent.quiet = true;  // without warnings
    problem = std::make_shared<Problem>(read_problem(settings, silent));
  }
  return problem;
}

BenchAnswer bench_answer_of(const Asked& asked, Answer found) {
  const auto answer = std::make_shared<Answer>(std::move(found));
  BenchAnswer result;
  result.status = answer->status;
  result.has_mapping = answer->mapping.has_value();
  if (answer->status != Status::infeasible) {
    result.goals.push_back({answer->value, answer->bound, answer->gap()});
  }
  const Solution& best = *answer->best;
  result.counts = {{"starts", best.starts},
                   {"steps", best.steps},
                   {"nodes", best.nodes},
                   {"leaves", best.leaves},
                   {"memory", best.memory}};
  result.threads = best.threads;
  result.log = [asked, answer](Log& log) {
    log.result("case", log_fields(asked, *answer, {}, log.timeless()));
  };
  return result;
}

void complete(BenchCase& bench_case, Problems& problems) {
  Asked asked;
  const std::size_t method = place_among("method", bench_case.model, methods());
  if (method > 0) asked.baseline = static_cast<Baseline>(method - 1);
  const std::size_t goal = place_among("objective", bench_case.objective, kGoalNames);
  asked.objective = static_cast<Goal>(goal) == Goal::ll ? Estimate::ll : Estimate::ht;
  const std::shared_ptr<const Problem> problem = read_once(problems, bench_case);
  require_latency(problem->partition, asked.objective, asked.schedule());
  bench_case.problem = bench_case.name();
  bench_case.describe_architecture = [problem] {
    return io::architecture_json(problem->architecture);
  };
  bench_case.solve = [problem, asked](const RunLimits& limits, std::string_view) {
    return bench_answer_of(asked, answer(*problem, asked, limits));
  };
}

}  // namespace

BenchKind bench_kind() {
  return {.model_key = "method",
          .model_header = "method",
          .model_option = "--method",
          .model_word = "METHOD",
          .totals = {{"nodes", "nodes", "nodes"}, {"steps", "exchanges", "exchanges"}},
          .searched = {"starts", "steps", "nodes", "leaves"},
          .columns = {"starts", "steps", "nodes", "leaves", "memory"},
          .subject = "network"};
}

CorpusKind corpus_kind() {
  // Networks are a list of their own, so that figures stay comparable when presets are added.
  return {.full = {architecture_presets(),
                   {"alexnet", "mobilenet_v1", "mobilenet_v2", "resnet18", "resnet50", "vgg16"}},
          .small = {{"pimcomp", "pimcomp_36"}, {"alexnet"}},
          .models = {std::string(kExact)},
          .objectives = {kGoalNames.begin(), kGoalNames.end()},
          .whole_networks = true,
          .complete = [problems = std::make_shared<Problems>()](BenchCase& problem) {
            complete(problem, *problems);
          }};
}

}  // namespace pimbb::crossbar::cli
