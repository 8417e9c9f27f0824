// The rules of a legal mapping, and its `ht`.
#include <algorithm>

#include "../json.hpp"
#include "problem.hpp"

namespace pimbb_check::crossbar {
namespace {

std::int64_t number(const Json& json) {
  require(json.is_number_unsigned() && json.get<std::uint64_t>() < std::uint64_t{1} << 62,
          "mapping: a number is wanted");
  return json.get<std::int64_t>();
}

const Json& list_of(const Json& json, std::size_t length) {
  require(json.is_array() && json.size() == length, "mapping: a list of another length is wanted");
  return json;
}

Counts replications(const Problem& p, const Json& json) {
  list_of(json, p.arrays.size());
  Counts by_family;
  for (std::size_t v = 0; v < p.arrays.size(); ++v) {
    const std::int64_t r = number(json[v]);
    require(r >= 1 && r <= p.arrays[v].windows, "mapping: a replication is out of range");
    if (p.arrays[v].family == by_family.size()) by_family.push_back(r);
    require(r == by_family[p.arrays[v].family], "mapping: parts have different replications");
  }
  return by_family;
}

}  // namespace

Int128 core_time(const Problem& p, std::vector<std::pair<std::int64_t, std::int64_t>> held) {
  std::ranges::sort(held);
  // From the last cycle backwards: all array groups whose cycles have not passed are at work.
  Int128 active = 0;
  for (const auto& [cycles, groups] : held) active += groups;
  Int128 sum = 0;
  std::int64_t passed = 0;
  for (const auto& [cycles, groups] : held) {
    if (active > 0) sum += (cycles - passed) * std::max(active * p.interval, Int128{p.time});
    passed = cycles;
    active -= groups;
  }
  return sum;
}

Legal legal_mapping(const Problem& p, const std::string& text) {
  const Json json = parse_normal(text, "mapping");
  constexpr std::array<std::string_view, 2> kKeys{"replication", "cores"};
  with_keys(json, kKeys, "mapping");
  Legal found{replications(p, json.at("replication"))};
  const Counts& r = found.replication;
  list_of(json.at("cores"), static_cast<std::size_t>(p.cores));
  std::vector<Int128> held(p.arrays.size(), 0);
  for (const Json& core : json.at("cores")) {
    require(core.is_array(), "mapping: a core is a list");
    require(core.size() <= static_cast<std::size_t>(p.max_nodes), "mapping: too many nodes");
    Int128 used = 0;
    std::int64_t least = 0;
    std::vector<std::pair<std::int64_t, std::int64_t>> work;
    for (const Json& share : core) {
      list_of(share, 2);
      const std::int64_t v = number(share[0]);
      const std::int64_t n = number(share[1]);
      require(v >= least && v < static_cast<std::int64_t>(p.arrays.size()),
              "mapping: array nodes out of order or range");
      require(n >= 1 && n <= p.crossbars, "mapping: array groups out of range");
      least = v + 1;
      const Array& array = p.arrays[static_cast<std::size_t>(v)];
      held[static_cast<std::size_t>(v)] += n;
      used += Int128{n} * array.width;
      work.emplace_back(ceil_div(array.windows, r[array.family]), n);
    }
    require(used <= p.crossbars, "mapping: a core has too few crossbars");
    found.ht = std::max(found.ht, core_time(p, std::move(work)));
  }
  for (std::size_t v = 0; v < p.arrays.size(); ++v) {
    require(held[v] == Int128{p.arrays[v].groups} * r[p.arrays[v].family],
            "mapping: another number of array groups is wanted");
  }
  return found;
}

}  // namespace pimbb_check::crossbar
