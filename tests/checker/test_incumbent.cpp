// Rules of a mapping that random damage seldom breaks alone: one rule broken, all others kept.
#include <doctest/doctest.h>

#include "dram_pim/io/result_json.hpp"
#include "pimbb-check/incumbent.hpp"
#include "pimbb/dram_pim/proof.hpp"
#include "support/texts.hpp"

namespace check = pimbb_check;
using pimbb::Dim;
using pimbb::index;
using pimbb::dram_pim::Layout;
using pimbb::dram_pim::Mapping;
using pimbb::files::Json;

namespace {

/// A row holds 16 bytes, the row buffer everything; 8 x 4 scalar PEs.
pimbb::dram_pim::Architecture wide_row_buffer() {
  auto a = texts::small_architecture();
  a.levels[a.row_buffer()].capacity.reset();
  for (auto& level : a.levels) {
    if (level.row_buffer_size) level.row_buffer_size = 16;
  }
  return a;
}

pimbb::Workload layer(std::initializer_list<std::pair<Dim, std::int64_t>> bounds) {
  pimbb::Workload w;
  w.name = "small";
  for (const auto& [dim, bound] : bounds) w.bounds[index(dim)] = bound;
  return w;
}

struct Judge {
  pimbb::dram_pim::Architecture a = wide_row_buffer();
  pimbb::Workload w;

  /// Everything loops at the row buffer.
  [[nodiscard]] Mapping mapping() const {
    Mapping m;
    m.levels.resize(a.levels.size());
    for (std::size_t k = 0; k < m.levels.size(); ++k) m.levels[k].stores = a.storable(k);
    for (const Dim j : pimbb::kAllDims) {
      if (w.bound(j) > 1) m.levels[a.row_buffer()].loops.push_back({j, w.bound(j)});
    }
    return m;
  }
  [[nodiscard]] Json json(const Mapping& m) const {
    return pimbb::dram_pim::io::mapping_json(a, m);
  }
  /// What the checker says against a mapping, "" if nothing.
  [[nodiscard]] std::string complaint(const Json& mapping) const {
    const check::Problem problem(pimbb::dram_pim::canonical_instance(
        a, w, pimbb::dram_pim::Objective::parse("latency"), pimbb::dram_pim::RowModel::hybrid));
    try {
      (void)check::cost_of_mapping(problem, mapping.dump());
    } catch (const check::Refusal& refusal) {
      return refusal.what();
    }
    return "";
  }
};

}  // namespace

TEST_CASE("a dimension in two spatial directions") {
  const Judge judge{.w = layer({{Dim::K, 8}})};
  Mapping m = judge.mapping();
  m.levels[judge.a.row_buffer()].loops = {{Dim::K, 2}};
  Json one = judge.json(m);
  one["spatial"]["H"] = {{"K", 4}};
  CHECK(judge.complaint(one) == "");
  Json two = judge.json(m);
  two["spatial"]["H"] = {{"K", 2}};
  two["spatial"]["W"] = {{"K", 2}};
  CHECK(judge.complaint(two) == "mapping: a dimension unrolls in two directions");
}

TEST_CASE("a dimension twice at one level") {
  const Judge judge{.w = layer({{Dim::K, 8}})};
  Json json = judge.json(judge.mapping());
  CHECK(judge.complaint(json) == "");
  for (Json& nest : json["temporal"]) {
    if (!nest["loops"].empty())
      nest["loops"] = Json::array({Json::array({"K", 2}), Json::array({"K", 4})});
  }
  CHECK(judge.complaint(json) == "mapping: a dimension loops twice at one level");
}

TEST_CASE("a row-aligned tile larger than a row") {
  const Judge judge{.w = layer({{Dim::K, 4}, {Dim::C, 4}, {Dim::P, 4}, {Dim::Q, 2}})};
  Mapping m = judge.mapping();
  CHECK(judge.complaint(judge.json(m)) == "");
  m.layout[index(pimbb::Tensor::weight)] = Layout::row_aligned;  // 16 bytes
  CHECK(judge.complaint(judge.json(m)) == "");
  m.layout[index(pimbb::Tensor::output)] = Layout::row_aligned;  // 32 bytes
  CHECK(judge.complaint(judge.json(m)) == "mapping: a tile exceeds its row");

  const Judge larger{.w = layer({{Dim::K, 4}, {Dim::C, 5}, {Dim::P, 4}})};
  m = larger.mapping();
  m.layout[index(pimbb::Tensor::output)] = Layout::row_aligned;  // 16 bytes
  CHECK(larger.complaint(larger.json(m)) == "");
  m.layout[index(pimbb::Tensor::weight)] = Layout::row_aligned;  // 20 bytes
  CHECK(larger.complaint(larger.json(m)) == "mapping: a tile exceeds its row");
}
