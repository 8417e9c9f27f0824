// The pimbb-crossbar-sensitivity/1 document: how the optimum of a network depends on the
// accelerator's figures.
#include "answers/sensitivity_json.hpp"
#include "crossbar/io/answer_json.hpp"
#include "crossbar/io/architecture_json.hpp"
#include "crossbar/io/formats.hpp"
#include "pimbb/crossbar/io.hpp"

namespace pimbb::crossbar {
namespace {

files::Json named_mapping_json(const NamedMapping& named) {
  files::Json json = files::Json::object();
  json["replication"] = files::Json::object();
  for (std::size_t v = 0; v < named.nodes.size(); ++v) {
    json["replication"][named.nodes[v]] = named.mapping.replication[v];
  }
  json["cores"] = files::Json::array();
  for (const auto& core : named.mapping.cores) {
    files::Json shares = files::Json::array();
    for (const Share& share : core) {
      shares.push_back(files::Json::array({named.nodes[share.array], share.groups}));
    }
    json["cores"].push_back(std::move(shares));
  }
  return json;
}

}  // namespace

std::string sensitivity_json(const Architecture& architecture, const NodeGraph& graph,
                             const Question& question, const SensitivityOptions& options,
                             const RunLimits& limits, const Sensitivity& sensitivity) {
  files::Json json = files::Json::object();
  json["format"] = std::string(io::kSensitivityFormat);
  json["network"] = graph.name;
  json["accelerator"] = architecture.name;
  json["status"] = std::string(name(sensitivity.status));
  if (!sensitivity.reason.empty()) json["reason"] = sensitivity.reason;
  json["objective"] = std::string(name(question.goal));
  json["seed"] = question.seed;
  json.update(answers::span_json(options));
  if (sensitivity.known) json["value"] = files::exact_number(sensitivity.value);
  if (sensitivity.reason.empty()) json["bound"] = files::exact_number(sensitivity.bound);
  json["parameters"] = answers::figures_json(sensitivity.figures);
  json["mappings"] = files::Json::array();
  for (const NamedMapping& mapping : sensitivity.mappings) {
    json["mappings"].push_back(named_mapping_json(mapping));
  }
  io::add_warnings(json, architecture);
  json["architecture"] = io::architecture_json(architecture);
  json["stats"] = io::stats_json(sensitivity, sensitivity.solves, sensitivity.seconds,
                                 sensitivity.threads, limits.timeless);
  return files::to_text(json);
}

}  // namespace pimbb::crossbar
