// A corpus and its results as JSON and as a table.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <thread>

#include "files/csv.hpp"
#include "files/json_text.hpp"
#include "layers/workload_json.hpp"
#include "terminal/bench/run.hpp"
#include "terminal/bench/summary.hpp"
#include "terminal/shape_columns.hpp"

namespace pimbb::terminal {
namespace {

files::Json case_json(const BenchKind& kind, const BenchCase& problem, const BenchResult& result,
                      bool timeless) {
  const BenchAnswer& answer = result.answer;
  files::Json json = files::Json::object();
  json[kind.machine] = problem.architecture;
  json[kind.subject] = problem.layer;
  if (!problem.whole_network) json["macs"] = problem.workload.macs();
  json[kind.model_key] = problem.model;
  json["objective"] = problem.objective;
  json["status"] = name(answer.status);
  if (answer.has_mapping) {
    json["value"] = answer.goals.front().value.to_double();
    json["gap"] = answer.goals.front().gap.to_double();
  }
  if (answer.status == Status::optimal) json["exact"] = answer.exact_values();
  for (const auto& [key, count] : answer.counts) json[key] = count;
  if (timeless) return json;
  json["seconds"] = result.seconds();
  json["cpu_seconds"] = result.cpu_seconds / static_cast<double>(result.runs.size());
  if (result.runs.size() > 1) json["runs"] = result.runs;
  return json;
}

files::Json settings_json(const BenchSettings& settings, int threads, const BenchExtras& extras) {
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
  extras.add_settings(json);
  json["compiler"] = __VERSION__;
#ifdef NDEBUG
  json["assertions"] = false;
#else
  json["assertions"] = true;
#endif
  return json;
}

files::Json summary_json(const BenchKind& kind, std::span<const BenchCase> cases,
                         const BenchSummary& summary, bool timeless) {
  files::Json json = files::Json::object();
  json["proven"] = summary.proven;
  json["infeasible"] = summary.infeasible;
  json["limit"] = summary.limit;
  json["not_solved"] = cases.size() - summary.proven - summary.infeasible - summary.limit;
  for (std::size_t k = 0; k < kind.totals.size(); ++k) {
    json[kind.totals[k].key] = summary.totals[k];
  }
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
void add_problems(files::Json& json, const BenchKind& kind, std::span<const BenchCase> cases) {
  files::Json architectures = files::Json::object();
  files::Json workloads = files::Json::object();
  std::set<std::string> seen;
  for (const BenchCase& problem : cases) {
    if (seen.insert(problem.architecture).second) {
      architectures[problem.architecture] = problem.describe_architecture();
    }
    if (!problem.whole_network && seen.insert(problem.layer).second) {
      workloads[problem.layer] = layers::workload_json(problem.workload);
    }
  }
  json[kind.machine + "s"] = std::move(architectures);
  files::add_unless_empty(json, "workloads", std::move(workloads));
}

/// Of the first goal: value and gap if there is a mapping, and a bound.
void add_claim(files::CsvRow& row, const BenchAnswer& answer) {
  row.add(name(answer.status));
  std::optional<double> value;
  std::optional<double> bound;
  std::optional<double> gap;
  if (!answer.goals.empty() && answer.status != Status::infeasible) {
    const BenchAnswer::GoalAnswer& first = answer.goals.front();
    bound = first.bound.to_double();
    if (answer.has_mapping) {
      value = first.value.to_double();
      gap = first.gap.to_double();
    }
  }
  row.add(value).add(bound).add(gap);
}

}  // namespace

std::string bench_json(const BenchSettings& settings, const BenchKind& kind,
                       std::span<const BenchCase> cases, std::span<const BenchResult> results,
                       const BenchExtras& extras) {
  const bool timeless = settings.output.timeless;
  const int threads = results.empty() ? settings.limits.threads : results.front().answer.threads;
  files::Json json = files::Json::object();
  json["format"] = "pimbb-bench/1";
  json["settings"] = settings_json(settings, threads, extras);
  json["cases"] = files::Json::array();
  for (std::size_t i = 0; i < results.size(); ++i) {
    json["cases"].push_back(case_json(kind, cases[i], results[i], timeless));
  }
  add_problems(json, kind, cases);
  json["summary"] = summary_json(kind, cases, summarise(kind, results), timeless);
  extras.add_results(json, timeless);
  if (results.size() == cases.size()) {
    const Signature hashes = signature(kind, cases, results);
    json["signature"] = {{"optima", hash_text(hashes.optima)},
                         {"search", hash_text(hashes.search)}};
  }
  return files::to_text(json);
}

std::string bench_csv(const BenchKind& kind, std::span<const BenchCase> cases,
                      std::span<const BenchResult> results, bool timeless) {
  const bool has_shapes =
      std::ranges::all_of(cases, [](const BenchCase& problem) { return !problem.whole_network; });
  std::vector<std::string> names = joined({{kind.machine, kind.subject},
                                           has_shapes ? shape_names() : std::vector<std::string>{},
                                           {kind.model_key, "objective"},
                                           {"status", "value", "bound", "gap", "exact"},
                                           kind.columns});
  if (!timeless) names.emplace_back("seconds");
  std::string text = files::csv_header(names);
  for (std::size_t i = 0; i < results.size(); ++i) {
    const BenchAnswer& answer = results[i].answer;
    files::CsvRow row;
    row.add(cases[i].architecture).add(cases[i].layer);
    if (has_shapes) add_shape(row, cases[i].workload);
    row.add(cases[i].model).add(cases[i].objective);
    add_claim(row, answer);
    row.add(answer.exact_values());
    for (const std::string& key : kind.columns) {
      row.add(static_cast<std::int64_t>(answer.count(key)));
    }
    if (!timeless) row.add(results[i].seconds());
    text += row.text();
  }
  return text;
}

}  // namespace pimbb::terminal
