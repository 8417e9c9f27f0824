// Medians, means, hashes and the JSON document of a corpus.
#include "dram_pim/cli/bench_result.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <thread>

#include "dram_pim/cli/bench_ablation.hpp"
#include "dram_pim/io/result_json.hpp"
#include "files/json_text.hpp"
#include "layers/workload_json.hpp"

namespace pimbb::dram_pim::cli {
namespace {

files::Json case_json(const BenchCase& problem, const BenchResult& result, bool timeless) {
  const Solution& solution = result.solution;
  files::Json json = files::Json::object();
  json["architecture"] = problem.architecture_name;
  json["layer"] = problem.layer;
  json["macs"] = problem.workload.macs();
  json["row_model"] = row_model_name(problem.row_model);
  json["objective"] = problem.objective.to_string();
  json["status"] = kStatusNames[static_cast<std::size_t>(solution.status)];
  if (solution.mapping) {
    json["value"] = solution.goals.front().value.to_double();
    json["gap"] = solution.goals.front().gap().to_double();
  }
  if (solution.status == Status::optimal) json["exact"] = exact_values(solution);
  json.update(io::statistics_json(solution));
  if (timeless) return json;
  json["seconds"] = result.seconds();
  if (result.runs.size() > 1) json["runs"] = result.runs;
  return json;
}

files::Json switched_off(const Rules& rules) {
  files::Json names = files::Json::array();
  for (std::size_t k = 0; k < kRules; ++k) {
    if (!rules.has(static_cast<Rule>(k))) names.push_back(kRuleNames[k]);
  }
  return names;
}

files::Json settings_json(const BenchSettings& settings, int threads) {
  files::Json json = files::Json::object();
  json["corpus"] = settings.corpus.corpus;
  if (!settings.output.timeless) {
    json["threads"] = threads;
    json["cores"] = std::thread::hardware_concurrency();
  }
  json["repeat"] = settings.repeat;
  if (settings.limits.time_limit) json["time_limit"] = *settings.limits.time_limit;
  if (settings.limits.node_limit) json["node_limit"] = *settings.limits.node_limit;
  json["memory_limit"] = settings.limits.memory_limit;
  json["without"] = switched_off(settings.rules);
  json["compiler"] = __VERSION__;
#ifdef NDEBUG
  json["assertions"] = false;
#else
  json["assertions"] = true;
#endif
  return json;
}

files::Json summary_json(std::span<const BenchCase> cases, const BenchSummary& summary,
                         bool timeless) {
  files::Json json = files::Json::object();
  json["proven"] = summary.proven;
  json["infeasible"] = summary.infeasible;
  json["limit"] = summary.limit;
  json["not_solved"] = cases.size() - summary.proven - summary.infeasible - summary.limit;
  json["nodes"] = summary.nodes;
  json["leaves"] = summary.leaves;
  if (timeless) return json;
  json["seconds"] = summary.total;
  json["geometric_mean_seconds"] = summary.geometric_mean;
  json["worst_seconds"] = summary.worst;
  json["worst_case"] = cases[summary.worst_case].name();
  json["cpu_seconds"] = usage().cpu_seconds;
  json["peak_memory_bytes"] = usage().peak_memory;
  return json;
}

/// Every accelerator and layer of the cases in full, once.
void add_problems(files::Json& json, std::span<const BenchCase> cases) {
  files::Json architectures = files::Json::object();
  files::Json workloads = files::Json::object();
  std::set<std::string> seen;
  for (const BenchCase& problem : cases) {
    if (seen.insert(problem.architecture_name).second) {
      architectures[problem.architecture_name] = io::architecture_json(*problem.architecture);
    }
    if (seen.insert(problem.layer).second) {
      workloads[problem.layer] = layers::workload_json(problem.workload);
    }
  }
  json["architectures"] = std::move(architectures);
  json["workloads"] = std::move(workloads);
}

files::Json ablation_json(const Ablation& ablation, bool timeless) {
  files::Json json = files::Json::object();
  json["without"] = ablation.name();
  json["cases"] = ablation.cases();
  json["nodes_ratio"] = ablation.nodes();
  json["worst_nodes_ratio"] = ablation.worst_nodes();
  json["leaves_ratio"] = ablation.leaves();
  if (!timeless) json["time_ratio"] = ablation.time();
  json["unfinished"] = ablation.unfinished();
  return json;
}

}  // namespace

double BenchResult::seconds() const {
  std::vector<double> sorted = runs;
  std::ranges::sort(sorted);
  const std::size_t middle = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

std::string exact_values(const Solution& solution) {
  std::string text;
  if (solution.status != Status::optimal) return text;
  for (const GoalResult& result : solution.goals) {
    text += (text.empty() ? "" : ",") + result.value.to_string();
  }
  return text;
}

void GeometricMean::add(double value) {
  logs_ += std::log(std::max(value, 1e-6));
  ++count_;
}

double GeometricMean::value() const {
  return count_ == 0 ? 1 : std::exp(logs_ / static_cast<double>(count_));
}

BenchSummary summarise(std::span<const BenchResult> results) {
  BenchSummary summary;
  GeometricMean mean;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Solution& solution = results[i].solution;
    if (solution.status == Status::optimal) {
      ++summary.proven;
    } else if (solution.status == Status::infeasible) {
      ++summary.infeasible;
    } else {
      ++summary.limit;
    }
    summary.nodes += solution.nodes;
    summary.leaves += solution.leaves;
    const double seconds = results[i].seconds();
    summary.total += seconds;
    mean.add(seconds);
    if (seconds <= summary.worst) continue;
    summary.worst = seconds;
    summary.worst_case = i;
  }
  summary.geometric_mean = results.empty() ? 0 : mean.value();
  return summary;
}

Signature signature(std::span<const BenchCase> cases, std::span<const BenchResult> results) {
  std::string optima;
  std::string search;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Solution& solution = results[i].solution;
    const std::string name = cases[i].name();
    if (solution.status == Status::optimal) {
      optima += fmt::format("{} optimal {}\n", name, exact_values(solution));
    } else {
      optima += name + (results[i].closed() ? " infeasible\n" : " limit\n");
    }
    search += results[i].closed()
                  ? fmt::format("{} {} {}\n", name, solution.nodes, solution.lp_iterations)
                  : name + " -\n";
  }
  return {fnv1a(optima), fnv1a(search)};
}

std::uint64_t fnv1a(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3U;
  }
  return hash;
}

std::string hash_text(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

Usage usage() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return {seconds(used.ru_utime) + seconds(used.ru_stime),
          std::int64_t{used.ru_maxrss} * 1024};  // Linux counts kibibytes
}

std::string bench_json(const BenchSettings& settings, int threads, std::span<const BenchCase> cases,
                       std::span<const BenchResult> results, std::span<const Ablation> ablations) {
  files::Json json = files::Json::object();
  json["format"] = "pimbb-bench/1";
  json["settings"] = settings_json(settings, threads);
  json["cases"] = files::Json::array();
  for (std::size_t i = 0; i < results.size(); ++i) {
    json["cases"].push_back(case_json(cases[i], results[i], settings.output.timeless));
  }
  add_problems(json, cases);
  json["summary"] = summary_json(cases, summarise(results), settings.output.timeless);
  if (!ablations.empty()) json["ablation"] = files::Json::array();
  for (const Ablation& ablation : ablations) {
    json["ablation"].push_back(ablation_json(ablation, settings.output.timeless));
  }
  if (results.size() == cases.size()) {
    const Signature hashes = signature(cases, results);
    json["signature"] = {{"optima", hash_text(hashes.optima)},
                         {"search", hash_text(hashes.search)}};
  }
  return files::to_text(json);
}

}  // namespace pimbb::dram_pim::cli
