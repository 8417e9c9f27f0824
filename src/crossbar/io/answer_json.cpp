// Counters under the names of pimbb-crossbar/1.
#include "crossbar/io/answer_json.hpp"

#include "pimbb/crossbar/io.hpp"

namespace pimbb::crossbar::io {

void add_warnings(files::Json& json, const Architecture& architecture) {
  const std::vector<std::string> all = warnings(architecture);
  if (!all.empty()) json["warnings"] = all;
}

void add_mapping(files::Json& json, const Architecture& architecture, const Partition& partition,
                 const Mapping& mapping, const Metrics& metrics) {
  const files::Json whole =
      files::Json::parse(evaluation_json(architecture, partition, mapping, metrics, Mode::ht));
  json["mapping"] = {{"replication", whole.at("replication")}, {"cores", whole.at("cores")}};
  json["metrics"] = files::Json::object();
  for (const char* const key : {"estimates", "exact", "energy", "memory"}) {
    json["metrics"][key] = whole.at(key);
  }
}

files::Json stats_json(const SolveStatistics& statistics, std::uint64_t solves, double seconds,
                       int threads, bool timeless) {
  files::Json json = files::Json::object();
  json["starts"] = statistics.starts;
  json["steps"] = statistics.steps;
  json["nodes"] = statistics.nodes;
  json["leaves"] = statistics.leaves;
  json["memory"] = statistics.memory;
  json["solves"] = solves;
  if (timeless) return json;
  json["seconds"] = seconds;
  json["threads"] = threads;
  return json;
}

}  // namespace pimbb::crossbar::io
