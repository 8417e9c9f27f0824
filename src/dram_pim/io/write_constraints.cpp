// Constraints with the keys of their file: parse_constraints() reads them back.
#include <algorithm>
#include <bit>

#include "dram_pim/io/result_json.hpp"

namespace pimbb::dram_pim::io {
namespace {

files::Json range_json(const FactorRange& range) {
  if (range.least == range.most) return range.least;
  if (range.most == FactorRange::kAny) return ">=" + std::to_string(range.least);
  if (range.least == 1) return "<=" + std::to_string(range.most);
  return std::to_string(range.least) + ".." + std::to_string(range.most);
}

files::Json factors_json(const FactorRanges& ranges) {
  files::Json json = files::Json::object();
  for (const Dim j : kAllDims) {
    if (ranges[index(j)] != FactorRange{}) {
      json[std::string(name(j))] = range_json(ranges[index(j)]);
    }
  }
  return json;
}

/// The dimensions of a chain, outermost first: each has those after it inside.
files::Json order_json(const LevelPrecedence& inside) {
  files::Json json = files::Json::array();
  for (int count = static_cast<int>(kDims); count-- > 0;) {
    for (const Dim j : kAllDims) {
      const bool in_chain = inside[index(j)] != 0 || std::ranges::any_of(inside, [&](auto mask) {
                              return (mask >> index(j) & 1U) != 0;
                            });
      if (in_chain && std::popcount(inside[index(j)]) == count) json.push_back(name(j));
    }
  }
  return json;
}

files::Json temporal_json(const Architecture& architecture, const Constraints& constraints) {
  files::Json list = files::Json::array();
  for (std::size_t m = 0; m < architecture.levels.size(); ++m) {
    FactorRanges ranges;
    for (const Dim j : kAllDims) ranges[index(j)] = constraints.temporal_range(m, j);
    const LevelPrecedence inside =
        m < constraints.orders.inside.size() ? constraints.orders.inside[m] : LevelPrecedence{};
    if (ranges == FactorRanges{} && inside == LevelPrecedence{}) continue;
    files::Json level = files::Json::object();
    level["level"] = architecture.levels[m].name;
    if (ranges != FactorRanges{}) level["factors"] = factors_json(ranges);
    if (inside != LevelPrecedence{}) level["order"] = order_json(inside);
    list.push_back(std::move(level));
  }
  return list;
}

}  // namespace

files::Json constraints_json(const Architecture& architecture, const Constraints& constraints) {
  files::Json json = files::Json::object();
  files::Json spatial = files::Json::object();
  for (const Direction d : kAllDirections) {
    const FactorRanges& ranges = constraints.spatial[index(d)];
    if (ranges != FactorRanges{}) spatial[std::string(name(d))] = factors_json(ranges);
  }
  files::add_unless_empty(json, "spatial", std::move(spatial));
  files::Json temporal = temporal_json(architecture, constraints);
  files::add_unless_empty(json, "temporal", std::move(temporal));
  files::Json stores = files::Json::object();
  for (std::size_t m = 0; m < architecture.levels.size(); ++m) {
    files::Json level = files::Json::object();
    for (const Tensor t : kAllTensors) {
      const auto stored = constraints.stored(m, t);
      if (stored) level[std::string(name(t))] = *stored;
    }
    if (!level.empty()) stores[architecture.levels[m].name] = std::move(level);
  }
  files::add_unless_empty(json, "stores", std::move(stores));
  files::Json layouts = files::Json::object();
  for (const Tensor t : kAllTensors) {
    const LayoutRange& range = constraints.layouts[index(t)];
    if (range.sequential && range.row_aligned) continue;
    const Layout layout = range.sequential ? Layout::sequential : Layout::row_aligned;
    layouts[std::string(name(t))] = kLayoutNames[static_cast<std::size_t>(layout)];
  }
  files::add_unless_empty(json, "layout", std::move(layouts));
  const LayoutRange& input = constraints.layouts[index(Tensor::input)];
  files::Json block = files::Json::object();
  for (const auto& [edge, k] : {std::pair{"h", 2U}, {"w", 3U}}) {
    const FactorRange range{input.least.at(k), input.most.at(k)};
    if (range != FactorRange{}) block[edge] = range_json(range);
  }
  files::add_unless_empty(json, "input_block", std::move(block));
  return json;
}

}  // namespace pimbb::dram_pim::io
