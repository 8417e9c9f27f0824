// Reading the instance; array groups and parts.
#include "problem.hpp"

#include <numeric>

#include "../fields.hpp"

namespace pimbb_check::crossbar {
namespace {

constexpr std::int64_t kMostCount = std::int64_t{1} << 20;
constexpr std::int64_t kMostTime = 1'000'000'000;
// Sums over all parts of groups * width * replication stay far below 2^127.
constexpr std::int64_t kHighest = std::int64_t{1} << 40;
constexpr std::size_t kMostNodes = std::size_t{1} << 14;

Axis axis_of(const Json& json) {
  list(json, 4);
  return {integer(json[0], 1, kMostCount), integer(json[1], 1, kMostCount),
          integer(json[2], 0, kMostCount), integer(json[3], 0, kMostCount)};
}

std::array<std::int64_t, 3> volume_of(const Json& json) {
  list(json, 3);
  return {integer(json[0], 1, kLongest), integer(json[1], 1, kMostCount),
          integer(json[2], 1, kMostCount)};
}

Node node_of(const Json& json, std::size_t number) {
  instance_object(json, {"name", "op", "from", "in", "out", "vertical", "horizontal"});
  text(json.at("name"));
  Node node;
  node.op = static_cast<Op>(one_of(json.at("op"), kOpNames));
  const Json& from = json.at("from");
  require(from.is_array() && from.empty() == (number == 0), "instance: node 0 alone reads nothing");
  require((node.op == Op::input) == (number == 0), "instance: node 0 alone is the input");
  for (const Json& u : from) {
    node.from.push_back(
        static_cast<std::size_t>(integer(u, 0, static_cast<std::int64_t>(number) - 1)));
  }
  node.in = volume_of(json.at("in"));
  node.out = volume_of(json.at("out"));
  node.vertical = axis_of(json.at("vertical"));
  node.horizontal = axis_of(json.at("horizontal"));
  return node;
}

std::int64_t height_of_matrix(const Node& node) {
  const std::int64_t each = node.op == Op::fc ? times(node.in[1], node.in[2])
                                              : times(node.vertical.kernel, node.horizontal.kernel);
  const std::int64_t height = times(node.in[0], each);
  require(height <= kHighest, "instance: a matrix of weights is too high");
  return height;
}

}  // namespace

Problem::Problem(const std::string& canonical_text, bool front) {
  const Json json = parse_normal(canonical_text, "instance");
  instance_object(json, {"format", "accelerator", "network", front ? "goals" : "goal"});
  require(json.at("format") == "pimbb-crossbar-instance/1",
          "instance: the format is not pimbb-crossbar-instance/1");
  const Json& machine = json.at("accelerator");
  instance_object(machine, {"name", "cores", "crossbars", "rows", "columns", "slices", "max_nodes",
                            "time", "interval"});
  text(machine.at("name"));
  accelerator_name = machine.at("name").dump(-1, ' ', true);
  const auto count = [&](const char* key) { return integer(machine.at(key), 1, kMostCount); };
  cores = count("cores");
  crossbars = count("crossbars");
  rows = count("rows");
  columns = count("columns");
  slices = count("slices");
  max_nodes = count("max_nodes");
  time = integer(machine.at("time"), 1, kMostTime);
  interval = integer(machine.at("interval"), 1, kMostTime);
  require(slices <= columns, "instance: a weight has more slices than a crossbar has columns");
  const Json& network = json.at("network");
  instance_object(network, {"name", "nodes"});
  text(network.at("name"));
  network_name = network.at("name").dump(-1, ' ', true);
  const Json& all = network.at("nodes");
  require(all.is_array() && !all.empty() && all.size() <= kMostNodes,
          "instance: 1 to 16384 nodes are wanted");
  std::vector<std::vector<std::size_t>> made;  // by node of the instance: its parts
  for (std::size_t v = 0; v < all.size(); ++v) {
    const std::size_t before = nodes.size();
    add(node_of(all[v], v), made);
    made.emplace_back(nodes.size() - before);
    std::iota(made.back().begin(), made.back().end(), before);
  }
  require(!arrays.empty(), "instance: no node has weights");
  if (!front) {
    goals = {one_of(json.at("goal"), kGoalNames)};
    return;
  }
  for (const Json& goal : list(json.at("goals"), 2)) goals.push_back(one_of(goal, kGoalNames));
  require(goals[0] != goals[1], "instance: the axes of a front are ht and ll");
}

void Problem::add(const Node& node, const std::vector<std::vector<std::size_t>>& made) {
  Node part = node;
  part.from.clear();
  for (const std::size_t u : node.from) {
    part.from.insert(part.from.end(), made[u].begin(), made[u].end());
    require(part.from.size() <= kMostNodes, "instance: too many parts");
  }
  if (!node.is_array()) {
    nodes.push_back(part);
    family_of.push_back(0);
    return;
  }
  const std::int64_t in_a_row = columns / slices;        // weights of a crossbar
  const std::int64_t most = times(in_a_row, crossbars);  // channels of a part
  Family family;
  family.windows = node.op == Op::fc ? 1 : times(node.out[1], node.out[2]);
  for (std::int64_t left = node.out[0]; left > 0; left -= most) {
    require(nodes.size() < kMostNodes, "instance: too many parts");
    part.out[0] = std::min(left, most);
    const Array array{nodes.size(), families.size(), ceil_div(height_of_matrix(node), rows),
                      ceil_div(part.out[0], in_a_row), family.windows};
    family.arrays.push_back(arrays.size());
    family.groups += array.groups;
    family.crossbars += Int128{array.groups} * array.width;
    arrays.push_back(array);
    nodes.push_back(part);
    family_of.push_back(families.size());
  }
  families.push_back(family);
}

std::int64_t Problem::quantum() const { return std::gcd(time, interval); }

std::string Problem::description() const {
  return "network " + network_name + ": " + std::to_string(arrays.size()) +
         " array nodes; accelerator " + accelerator_name + ": " + std::to_string(cores) +
         " cores x " + std::to_string(crossbars) + " crossbars" +
         (goals.size() == 1 ? "; goal " + goal_name(0) : "");
}

}  // namespace pimbb_check::crossbar
