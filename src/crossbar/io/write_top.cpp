// The pimbb-crossbar-top/1 document: the best classes of mappings of a network, with their counts.
#include "answers/top_json.hpp"
#include "crossbar/io/answer_json.hpp"
#include "crossbar/io/architecture_json.hpp"
#include "crossbar/io/formats.hpp"
#include "pimbb/crossbar/io.hpp"

namespace pimbb::crossbar {
namespace {

files::Json replication_class_json(const Architecture& architecture, const Partition& partition,
                                   const TopClasses& top, std::size_t k) {
  const MappingClass& listed = top.classes[k];
  files::Json json = answers::class_json(k, {std::string(name(top.goal))}, {listed.value},
                                         listed.mappings, top.texts[k]);
  if (!listed.mappings) json["mappings"] = nullptr;
  if (listed.bound < listed.value) json["bound"] = files::exact_number(listed.bound);
  io::add_mapping(json, architecture, partition, listed.mapping, listed.metrics);
  return json;
}

}  // namespace

std::string top_json(const Architecture& architecture, const Partition& partition,
                     const Question& question, const TopRange& range, const RunLimits& limits,
                     const TopClasses& top) {
  files::Json json = files::Json::object();
  json["format"] = std::string(io::kTopFormat);
  json["network"] = partition.graph.name;
  json["accelerator"] = architecture.name;
  json["status"] = std::string(name(top.status));
  if (!top.reason.empty()) json["reason"] = top.reason;
  json["objective"] = std::string(name(question.goal));
  json["seed"] = question.seed;
  json["range"] = answers::top_range_json(range);
  if (top.bound) answers::add_top_bound(json, *top.bound);
  if (top.status != TopStatus::infeasible) {
    answers::add_class_totals(json, top.optimal, top.tied, top.within);
  }
  json["classes"] = files::Json::array();
  for (std::size_t k = 0; k < top.classes.size(); ++k) {
    json["classes"].push_back(replication_class_json(architecture, partition, top, k));
  }
  io::add_warnings(json, architecture);
  json["architecture"] = io::architecture_json(architecture);
  json["stats"] = io::stats_json(top, 1, top.seconds, top.threads, limits.timeless);
  return files::to_text(json);
}

}  // namespace pimbb::crossbar
