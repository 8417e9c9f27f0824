// The document is made of the parts of a mapping's, twice, and of what lies between them.
#include "dram_pim/cli/audit_json.hpp"

#include "dram_pim/cli/audit_terms.hpp"
#include "dram_pim/io/result_json.hpp"
#include "layers/workload_json.hpp"
#include "pimbb/dram_pim/dataflow.hpp"
#include "pimbb/dram_pim/padded.hpp"

namespace pimbb::dram_pim::cli {
namespace {

using files::Json;
using io::Figures;

/// The figures with their fractions under "exact", behind what stands in `json` already.
Json with_figures(Json json, Figures figures) {
  json.update(figures.numbers);
  json["exact"] = std::move(figures.exact);
  return json;
}

Json terms_json(const std::vector<ComparedTerm>& terms, bool cycles) {
  Json list = Json::array();
  std::string whole;
  for (const ComparedTerm& term : terms) {
    if (!term.part) whole = term.name;
    Figures figures;
    figures.add("given", term.given);
    if (term.best) {
      figures.add("best", *term.best);
      figures.add("difference", term.given - *term.best);
    }
    Json json = {{"term", term.part ? whole + " " + term.name : term.name}};
    if (cycles && !term.part) {
      json["binds"] = Json::array();
      if (term.given_binds) json["binds"].push_back("given");
      if (term.best_binds) json["binds"].push_back("best");
    }
    list.push_back(with_figures(std::move(json), std::move(figures)));
  }
  return list;
}

Json mapping_part(const GivenMapping& given, const Workload& mapped, const Mapping& mapping,
                  const Metrics& metrics) {
  Json json = Json::object();
  io::add_padded(json, given.layer, mapped.bounds);
  json["mapping"] = io::mapping_json(given.architecture, mapping);
  json["metrics"] = io::metrics_json(given.architecture, mapped, mapping, metrics);
  json["dataflow"] =
      io::dataflow_json(given.architecture, analyse_dataflow(given.architecture, mapped, mapping));
  return json;
}

}  // namespace

std::string audit_json(const GivenMapping& given, const Audit& audit, const Question& question,
                       const RunLimits& limits) {
  const Solution& solution = audit.solution;
  const Comparison terms = compare(given, audit);
  Json json = Json::object();
  json["format"] = "pimbb-audit/1";
  json["layer"] = given.workload.name;
  json["objective"] = question.objective.to_string();
  json["row_model"] = name(question.row_model);
  json["layouts"] = given.layouts;
  io::add_distance(json, audit);
  json["terms"] = Json::object();
  json["terms"]["cycles"] = terms_json(terms.cycles, true);
  json["terms"]["energy"] = terms_json(terms.energy, false);
  json["terms"]["row_activations"] = terms_json(terms.activations, false);
  json["terms"]["utilization"] = terms_json(terms.utilization, false);
  json["given"] = mapping_part(given, given.workload, given.mapping, audit.metrics);
  if (solution.mapping) {
    json["best"] = mapping_part(given, mapped_layer(given.layer, solution), *solution.mapping,
                                *solution.metrics);
  }
  json["workload"] = layers::workload_json(given.layer);
  json["architecture"] = io::architecture_json(given.architecture);
  json["stats"] = io::stats_json(solution, solution.seconds, solution.threads, limits.timeless);
  io::add_warnings(json, given.architecture);
  return files::to_text(json);
}

}  // namespace pimbb::dram_pim::cli
