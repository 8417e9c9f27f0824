// A mapping's dataflow as JSON: what it is called and why, what stays where, what each direction of
// the array carries.
#include "dram_pim/io/result_json.hpp"

namespace pimbb::dram_pim::io {
namespace {

files::Json stationary_json(const Architecture& architecture, const Dataflow& dataflow) {
  files::Json list = files::Json::array();
  for (const Stationary& s : dataflow.stationary) {
    files::Json json = files::Json::object();
    json["level"] = architecture.levels[s.level].name;
    json["tensor"] = name(s.tensor);
    json["held_at"] = architecture.levels[s.holder].name;
    json["loops"] = loops_json(s.loops);
    json["iterations"] = s.iterations;
    list.push_back(std::move(json));
  }
  return list;
}

files::Json stays_json(const Architecture& architecture, const Dataflow& dataflow) {
  files::Json json = files::Json::object();
  for (std::size_t m = 0; m < architecture.dram(); ++m) {
    files::Json tensors = files::Json::object();
    for (const Tensor t : kAllTensors) {
      if (const auto stay = dataflow.stays[m][index(t)]) tensors[std::string(name(t))] = *stay;
    }
    json[architecture.levels[m].name] = std::move(tensors);
  }
  return json;
}

files::Json with_bandwidth(files::Json json, const Rational& bandwidth) {
  json["bytes_per_cycle"] = bandwidth.to_double();
  json["exact"] = {{"bytes_per_cycle", bandwidth.to_string()}};
  return json;
}

files::Json direction_json(const DirectionFlow& flow) {
  files::Json json = files::Json::object();
  json["unrolled"] = files::Json::object();
  for (const Dim j : kAllDims) {
    const std::int64_t factor = flow.factors[index(j)];
    if (factor > 1) json["unrolled"][std::string(name(j))] = factor;
  }
  for (const Tensor t : kAllTensors) {
    const LineFlow& line = flow.tensors[index(t)];
    json[std::string(name(t))] =
        with_bandwidth({{t == Tensor::output ? "reduction" : "multicast", line.sharing},
                        {"elements_per_cycle", line.elements}},
                       line.bandwidth);
  }
  return json;
}

files::Json array_json(const Architecture& architecture, const Dataflow& dataflow) {
  files::Json json = files::Json::object();
  for (const Tensor t : kAllTensors) {
    const ArrayFlow& flow = dataflow.array[index(t)];
    json[std::string(name(t))] = with_bandwidth(
        {{t == Tensor::output ? "to" : "from", architecture.levels[flow.source].name},
         {"elements_per_cycle", flow.elements}},
        flow.bandwidth);
  }
  return json;
}

}  // namespace

files::Json dataflow_json(const Architecture& architecture, const Dataflow& dataflow) {
  files::Json within = files::Json::array();
  files::Json departures = files::Json::object();
  for (std::size_t k = 0; k < kDataflows.size(); ++k) {
    const std::string method(name(kDataflows[k]));
    if (const auto& why = dataflow.departures[k]) {
      departures[method] = *why;
    } else {
      within.push_back(method);
    }
  }
  files::Json json = files::Json::object();
  json["name"] = dataflow.label();
  json["within"] = std::move(within);
  json["not_within"] = std::move(departures);
  json["summary"] = describe(architecture, dataflow);
  json["stationary"] = stationary_json(architecture, dataflow);
  json["stays"] = stays_json(architecture, dataflow);
  json["spatial"] = files::Json::object();
  for (const Direction d : kAllDirections) {
    json["spatial"][std::string(name(d))] = direction_json(dataflow.directions[index(d)]);
  }
  json["array"] = array_json(architecture, dataflow);
  return json;
}

}  // namespace pimbb::dram_pim::io
