// Lines of JSON as graphs, architectures and mappings; the names of operators are PIMCOMP's.
#include "crossbar/golden.hpp"

#include <fstream>
#include <map>
#include <stdexcept>

#include "pimbb/crossbar/io.hpp"

namespace golden {

using namespace pimbb::crossbar;

Architecture architecture(const Json& changes) {
  Architecture a = read_architecture("pimcomp");
  const std::map<std::string, std::int64_t*> figures{
      {"chips", &a.chips},
      {"cores", &a.cores},
      {"crossbars", &a.core.crossbars},
      {"rows", &a.core.rows},
      {"columns", &a.core.columns},
      {"slices", &a.core.slices},
      {"max_nodes", &a.core.max_nodes},
      {"t_mvm", &a.mvm.time},
      {"t_int", &a.mvm.interval},
  };
  for (const auto& [key, value] : changes.items()) *figures.at(key) = value.get<std::int64_t>();
  return a;
}

namespace {

Volume volume(const Json& json) {
  const auto sizes = json.get<std::vector<std::int64_t>>();
  if (sizes.size() == 1) return {sizes[0], 1, 1};
  return {sizes.at(0), sizes.at(1), sizes.at(2)};
}

Node node(const Json& json) {
  static const std::map<std::string, Op> kOps{
      {"Input", Op::input},     {"Conv", Op::conv},     {"FC", Op::fc},     {"Pool", Op::pool},
      {"Eltwise", Op::eltwise}, {"Concat", Op::concat}, {"Relu", Op::pass}, {"Flatten", Op::pass},
      {"Dropout", Op::pass},    {"Softmax", Op::pass},  {"Lrn", Op::pass},  {"Reshape", Op::pass}};
  Node node;
  node.name = std::to_string(json.at("id").get<std::size_t>());
  node.operation = json.at("op").get<std::string>();
  node.op = kOps.at(node.operation);
  node.from = json.at("from").get<std::vector<std::size_t>>();
  node.out = volume(json.at("out"));
  node.in = json.contains("in") ? volume(json.at("in")) : node.out;
  if (!json.contains("k")) return node;
  const auto k = json.at("k").get<std::vector<std::int64_t>>();
  const auto s = json.at("s").get<std::vector<std::int64_t>>();
  const auto p = json.at("p").get<std::vector<std::int64_t>>();
  node.vertical = {k.at(0), s.at(0), p.at(0), p.at(2)};
  node.horizontal = {k.at(1), s.at(1), p.at(1), p.at(3)};
  return node;
}

}  // namespace

NodeGraph graph(const Json& json, const std::filesystem::path& folder) {
  Json whole = json;
  if (json.is_string()) {
    std::ifstream stream(folder / json.get<std::string>());
    whole = Json::parse(stream);
  }
  NodeGraph graph;
  graph.name = whole.at("name").get<std::string>();
  for (const Json& each : whole.at("nodes")) {
    if (each.at("id").get<std::size_t>() != graph.nodes.size()) {
      throw std::runtime_error("nodes out of order in " + graph.name);
    }
    graph.nodes.push_back(node(each));
  }
  return graph;
}

Mapping mapping(const Json& line, const Architecture& a, const Partition& partition) {
  Mapping mapping;
  mapping.replication.assign(partition.arrays.size(), 0);
  mapping.cores.resize(static_cast<std::size_t>(a.all_cores()));
  for (const Json& pair : line.at("R")) {
    mapping.replication.at(partition.array_of.at(pair.at(0)).value()) = pair.at(1);
  }
  for (const Json& gene : line.at("genes")) {
    mapping.cores.at(gene.at(0))
        .push_back({partition.array_of.at(gene.at(1)).value(), gene.at(2).get<std::int64_t>()});
  }
  return mapping;
}

}  // namespace golden
