// The dataflow of a mapping: by hand where it is known, and against a walk of the loop nest that
// writes down what every line of PEs uses in every cycle.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

#include "pimbb/dram_pim/dataflow.hpp"
#include "pimbb/dram_pim/feasibility.hpp"
#include "pimbb/dram_pim/io.hpp"
#include "support/cases.hpp"
#include "support/instances.hpp"
#include "support/oracle_feasibility.hpp"
#include "support/plain_json.hpp"
#include "support/random_mapping.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using testkit::Choices;
using testkit::Instance;

namespace {

using Tuple = std::vector<std::int64_t>;

/// The iterations of some loops, outermost first: the index that they give each dimension.
class Walk {
 public:
  /// Temporal loops of levels first .. last.
  Walk(const Mapping& m, std::size_t first, std::size_t last) {
    for (std::size_t level = last + 1; level-- > first;) {
      std::vector<Loop> loops = m.levels[level].loops;
      if (level == 0) std::ranges::stable_sort(loops, {}, &Loop::dim);
      for (const Loop& loop : loops) {
        const Factors inside = level == 0 ? m.spatial_tile() : m.tile(level - 1);
        loops_.push_back({loop, inside[index(loop.dim)]});
      }
    }
    run(0, {});
  }
  [[nodiscard]] const std::vector<Factors>& indices() const { return indices_; }

 private:
  void run(std::size_t depth, Factors at) {
    if (depth == loops_.size()) {
      indices_.push_back(at);
      return;
    }
    const auto& [loop, step] = loops_[depth];
    const std::int64_t start = at[index(loop.dim)];
    for (std::int64_t i = 0; i < loop.factor; ++i) {
      at[index(loop.dim)] = start + i * step;
      run(depth + 1, at);
    }
  }

  std::vector<std::pair<Loop, std::int64_t>> loops_;
  std::vector<Factors> indices_;
};

Tuple relevant_indices(Tensor t, const Factors& at) {
  Tuple tuple;
  for (const Dim j : kAllDims) {
    if (relevant(t, j)) tuple.push_back(at[index(j)]);
  }
  return tuple;
}

/// Where in its tensor the element lies that an iteration uses; the input's last two are h and w.
Tuple element(const Workload& w, Tensor t, const Factors& at) {
  if (t != Tensor::input) return relevant_indices(t, at);
  Tuple tuple;
  for (const Dim j : kAllDims) {
    const bool window = j == Dim::R || j == Dim::S || j == Dim::P || j == Dim::Q;
    if (relevant(t, j) && !window) tuple.push_back(at[index(j)]);
  }
  const auto i = [&](Dim j) { return at[index(j)]; };
  tuple.push_back(w.stride_h * i(Dim::Q) + w.dilation_h * i(Dim::S));
  tuple.push_back(w.stride_w * i(Dim::P) + w.dilation_w * i(Dim::R));
  return tuple;
}

/// Every combination of indices below `bounds`.
std::vector<Factors> points(const Factors& bounds) {
  std::vector<Factors> all{Factors{}};
  for (const Dim j : kAllDims) {
    std::vector<Factors> next;
    for (const Factors& point : all) {
      for (std::int64_t i = 0; i < bounds[index(j)]; ++i) {
        next.push_back(point);
        next.back()[index(j)] = i;
      }
    }
    all = std::move(next);
  }
  return all;
}

Factors plus(Factors a, const Factors& b) {
  for (const Dim j : kAllDims) a[index(j)] += b[index(j)];
  return a;
}

Factors times(Factors a, const Factors& b) {
  for (const Dim j : kAllDims) a[index(j)] *= b[index(j)];
  return a;
}

/// How many elements the smallest tile has that contains `elements`.
std::int64_t box(const std::set<Tuple>& elements) {
  std::int64_t size = 1;
  for (std::size_t k = 0; k < elements.begin()->size(); ++k) {
    std::set<std::int64_t> along;
    for (const Tuple& e : elements) along.insert(e[k]);
    size *= *along.rbegin() - *along.begin() + 1;
  }
  return size;
}

/// Lengths of the runs in which the relevant indices stay what they are.
std::set<std::int64_t> runs(const Walk& walk, Tensor t) {
  std::set<std::int64_t> lengths;
  std::int64_t length = 0;
  std::optional<Tuple> before;
  for (const Factors& at : walk.indices()) {
    const Tuple now = relevant_indices(t, at);
    if (before && now != *before) lengths.insert(std::exchange(length, 0));
    before = now;
    ++length;
  }
  lengths.insert(length);
  return lengths;
}

class Walker {
 public:
  Walker(const Instance& i, const Mapping& m)
      : i_(i), m_(m), all_(m, 0, m.levels.size() - 1), outside_(m, 1, m.levels.size() - 1) {}

  [[nodiscard]] bool stores(std::size_t level, Tensor t) const {
    return m_.levels[level].stores[index(t)];
  }

  /// Different elements in a cycle, which are as many in every cycle.
  std::int64_t elements(Tensor t, const Factors& line) const {
    std::set<std::size_t> counts;
    for (const Factors& at : all_.indices()) {
      std::set<Tuple> used;
      for (const Factors& pe : points(line)) used.insert(element(i_.workload, t, plus(at, pe)));
      counts.insert(used.size());
    }
    REQUIRE(counts.size() == 1);
    return static_cast<std::int64_t>(*counts.begin());
  }

  [[nodiscard]] bool from_row_buffer(Tensor t) const {
    for (std::size_t m = 0; m < i_.architecture.row_buffer(); ++m) {
      if (stores(m, t)) return false;
    }
    return true;
  }

  /// How many of the points have the same relevant indices, which are as many of each.
  static std::int64_t sharing(Tensor t, const Factors& factors) {
    std::map<Tuple, std::int64_t> users;
    for (const Factors& pe : points(factors)) ++users[relevant_indices(t, pe)];
    std::set<std::int64_t> counts;
    for (const auto& [tuple, count] : users) counts.insert(count);
    REQUIRE(counts.size() == 1);
    return *counts.begin();
  }

  /// Elements of t that a line is handed from outside the PEs, over the whole layer. What a PE
  /// keeps is a dense tile, as where its capacity is judged.
  [[nodiscard]] std::int64_t handed(Tensor t, const Factors& line) const {
    if (!stores(0, t)) return fed(t, line);
    std::int64_t sum = 0;
    std::optional<Tuple> before;
    const Factors own = m_.temporal(0);
    for (const Factors& at : outside_.indices()) {
      const Tuple now = relevant_indices(t, at);
      if (before == now) continue;
      before = now;
      std::set<Tuple> used;
      for (const Factors& within : points(own)) {
        for (const Factors& pe : points(line)) {
          used.insert(element(i_.workload, t, plus(plus(at, within), times(pe, own))));
        }
      }
      sum += box(used);
    }
    return sum;
  }

  /// The same where nothing is kept: one for each combination of relevant indices in every cycle;
  /// of the input, if it comes from the row buffer, the box around the elements in use.
  [[nodiscard]] std::int64_t fed(Tensor t, const Factors& line) const {
    std::int64_t sum = 0;
    if (t == Tensor::input && from_row_buffer(t)) {
      for (const Factors& at : all_.indices()) {
        std::set<Tuple> used;
        for (const Factors& pe : points(line)) {
          used.insert(element(i_.workload, t, plus(at, pe)));
        }
        sum += box(used);
      }
      return sum;
    }
    for (const Factors& at : all_.indices()) {
      std::set<Tuple> used;
      for (const Factors& pe : points(line)) used.insert(relevant_indices(t, plus(at, pe)));
      sum += static_cast<std::int64_t>(used.size());
    }
    return sum;
  }

  /// Movements as bytes per cycle. Of `total` movements of the output all but the first of each
  /// element are made twice where partial sums are read back.
  [[nodiscard]] Rational bandwidth(Tensor t, std::int64_t moved, std::int64_t total) const {
    const auto cycles = static_cast<std::int64_t>(all_.indices().size());
    Rational rate = Rational(moved, cycles) * i_.architecture.moved_bytes(t);
    if (t == Tensor::output && i_.architecture.psum_rereads) {
      rate *= Rational(2 * total - i_.workload.tensor_elements(t), total);
    }
    return rate;
  }

 private:
  const Instance& i_;
  const Mapping& m_;
  Walk all_;
  Walk outside_;
};

void check_space(const Instance& i, const Mapping& m, const Dataflow& found) {
  const Walker walker(i, m);
  const Factors& pe = m.spatial_in(Direction::internal);
  const Factors array = m.spatial_tile();
  for (const Tensor t : kAllTensors) {
    CAPTURE(name(t));
    const std::int64_t total = walker.handed(t, array);
    const ArrayFlow& whole = found.array[index(t)];
    CHECK(whole.elements == walker.elements(t, array));
    CHECK(whole.bandwidth == walker.bandwidth(t, total, total));
    CHECK(walker.stores(whole.source, t));
    for (const Direction d : kAllDirections) {
      CAPTURE(name(d));
      const LineFlow& line = found.directions[index(d)].tensors[index(t)];
      CHECK(line.sharing == Walker::sharing(t, m.spatial_in(d)));
      if (d == Direction::internal && walker.stores(0, t)) {
        std::int64_t pes = 1;
        for (const Dim j : kAllDims) {
          pes *= m.spatial_in(Direction::H)[index(j)] * m.spatial_in(Direction::W)[index(j)];
        }
        const std::int64_t moved = walker.fed(t, pe);
        CHECK(line.elements == walker.elements(t, pe));
        CHECK(line.bandwidth == walker.bandwidth(t, moved, moved * pes));
        continue;
      }
      const Factors shape = d == Direction::internal ? pe : times(pe, m.spatial_in(d));
      CHECK(line.elements == walker.elements(t, shape));
      CHECK(line.bandwidth == walker.bandwidth(t, walker.handed(t, shape), total));
    }
  }
}

void check_stays(const Instance& i, const Mapping& m, const Dataflow& found) {
  const std::size_t dram = i.architecture.dram();
  for (std::size_t level = 0; level <= dram; ++level) {
    for (const Tensor t : kAllTensors) {
      CAPTURE(level);
      CAPTURE(name(t));
      const auto& stay = found.stays[level][index(t)];
      REQUIRE(stay.has_value() == (level < dram && m.levels[level].stores[index(t)]));
      if (stay) CHECK(runs(Walk(m, level + 1, dram), t) == std::set<std::int64_t>{*stay});
    }
  }
}

/// What stays over a level's loops, from the runs of the loops up to it and of those inside it.
std::vector<Stationary> walked_stationary(const Instance& i, const Mapping& m) {
  std::vector<Stationary> all;
  for (std::size_t level = 1; level <= i.architecture.dram(); ++level) {
    for (const Tensor t : kAllTensors) {
      std::size_t holder = level;
      while (holder > 0 && !m.levels[holder - 1].stores[index(t)]) --holder;
      if (holder-- == 0) continue;
      std::int64_t inside = 1;
      if (level > holder + 1) {
        const Walk walk(m, holder + 1, level - 1);
        inside = static_cast<std::int64_t>(walk.indices().size());
        if (runs(walk, t) != std::set<std::int64_t>{inside}) continue;
      }
      const std::int64_t iterations = *runs(Walk(m, holder + 1, level), t).begin() / inside;
      if (iterations > 1) all.push_back({level, t, holder, {}, iterations});
    }
  }
  return all;
}

void check_stationary(const Instance& i, const Mapping& m, const Dataflow& found) {
  std::vector<Stationary> without_loops = found.stationary;
  for (Stationary& s : without_loops) {
    const std::vector<Loop>& of_level = m.levels[s.level].loops;
    std::int64_t product = 1;
    for (const Loop& loop : s.loops) {
      product *= loop.factor;
      CHECK(std::ranges::find(of_level, loop) != of_level.end());
      CHECK(!relevant(s.tensor, loop.dim));
    }
    CHECK(product == s.iterations);
    s.loops.clear();
  }
  CHECK(without_loops == walked_stationary(i, m));
}

const Architecture& simple() {
  static const Architecture a = read_architecture("simple_pim");
  return a;
}

Workload layer() {
  Workload w;
  for (const Dim dim : {Dim::R, Dim::S}) w.bounds[index(dim)] = 3;
  for (const Dim dim : {Dim::P, Dim::Q}) w.bounds[index(dim)] = 8;
  for (const Dim dim : {Dim::C, Dim::K}) w.bounds[index(dim)] = 16;
  w.bounds[index(Dim::N)] = 2;
  return w;
}

/// A mapping of layer() on simple_pim whose level 0 has no loops but `pe`.
Mapping nest(std::vector<Loop> dram, std::vector<Loop> row_buffer, std::vector<Loop> buffer,
             std::vector<Loop> pe = {}) {
  Mapping m;
  m.levels.resize(4);
  for (MappingLevel& level : m.levels) level.stores = {true, true, true};
  m.levels[0].loops = std::move(pe);
  m.levels[1].loops = std::move(buffer);
  m.levels[2].loops = std::move(row_buffer);
  m.levels[3].loops = std::move(dram);
  return m;
}

Dataflow analyse(const Mapping& m) {
  const auto violation = find_violation(simple(), layer(), m);
  REQUIRE_MESSAGE(!violation, violation->message);
  return analyse_dataflow(simple(), layer(), m);
}

std::string says(const Mapping& m) { return describe(simple(), analyse(m)); }

}  // namespace

TEST_CASE("one tensor stationary, by hand") {
  Mapping m = nest({{Dim::K, 16}, {Dim::C, 2}, {Dim::N, 2}, {Dim::Q, 8}},
                   {{Dim::S, 3}, {Dim::R, 3}, {Dim::P, 8}}, {});
  m.spatial[index(Direction::H)][index(Dim::C)] = 8;
  Dataflow d = analyse(m);
  CHECK(d.label() == "ws");
  CHECK(d.within(Method::ws));
  CHECK_FALSE(d.within(Method::os));
  CHECK(d.stays[0] == PerTensor<std::optional<std::int64_t>>{1, 8, 1});
  CHECK(d.stays[2] == PerTensor<std::optional<std::int64_t>>{1, 16, 1});
  CHECK(describe(simple(), d) ==
        "weight stationary (ws): weight stationary at RowBuffer over P = 8 iterations, at "
        "LocalDRAM over N x Q = 16 iterations");
  const DirectionFlow& rows = d.directions[index(Direction::H)];
  CHECK(rows.tensors[index(Tensor::input)].sharing == 1);
  CHECK(rows.tensors[index(Tensor::output)].sharing == 8);
  CHECK(rows.tensors[index(Tensor::output)].elements == 1);
  CHECK(rows.tensors[index(Tensor::input)].bandwidth == 8);
  CHECK(rows.tensors[index(Tensor::weight)].bandwidth == 1);  // 8 weights every 8 cycles

  m = nest({{Dim::N, 2}, {Dim::K, 16}, {Dim::Q, 8}, {Dim::P, 8}, {Dim::C, 16}},
           {{Dim::R, 3}, {Dim::S, 3}}, {});
  d = analyse(m);
  CHECK(d.label() == "os");
  CHECK(d.stays[0][index(Tensor::output)] == 144);
  CHECK(d.stays[2][index(Tensor::output)] == 16);

  m = nest({{Dim::N, 2}, {Dim::C, 16}, {Dim::Q, 8}, {Dim::P, 8}, {Dim::R, 3}, {Dim::S, 3}}, {},
           {{Dim::K, 16}});
  d = analyse(m);
  CHECK(d.label() == "is");
  CHECK(d.stays[0] == PerTensor<std::optional<std::int64_t>>{16, 1, 1});
}

TEST_CASE("row stationary and mixtures, by hand") {
  Mapping m = nest({{Dim::C, 16}, {Dim::K, 16}, {Dim::N, 2}, {Dim::Q, 4}, {Dim::P, 8}}, {}, {},
                   {{Dim::R, 3}});
  m.spatial[index(Direction::H)][index(Dim::S)] = 3;
  m.spatial[index(Direction::W)][index(Dim::Q)] = 2;
  const Dataflow rows = analyse(m);
  CHECK(rows.label() == "ws+rs");
  const DirectionFlow& s = rows.directions[index(Direction::H)];
  const DirectionFlow& q = rows.directions[index(Direction::W)];
  CHECK(s.tensors[index(Tensor::output)].sharing == 3);
  CHECK(q.tensors[index(Tensor::weight)].sharing == 2);
  // The PEs (S, Q) form diagonals: 3 + 2 - 1 input rows for 6 PEs.
  CHECK(rows.array[index(Tensor::input)].elements == 4);
  // So they do where stride and dilation have a common factor: 2 s + 2 q, with gaps.
  Workload wide = layer();
  wide.stride_h = wide.dilation_h = 2;
  CHECK(analyse_dataflow(simple(), wide, m).array[index(Tensor::input)].elements == 4);
  wide.dilation_h = 4;  // 4 s + 2 q: 0, 2, 4, 6, 8, 10
  CHECK(analyse_dataflow(simple(), wide, m).array[index(Tensor::input)].elements == 6);

  m = nest({{Dim::K, 16}, {Dim::C, 16}, {Dim::Q, 8}, {Dim::N, 2}},
           {{Dim::P, 8}, {Dim::R, 3}, {Dim::S, 3}}, {});
  CHECK(analyse(m).label() == "mixed o,w");
  CHECK(says(m) ==
        "mixed: output stationary at RowBuffer over R x S = 9 iterations, weight stationary at "
        "LocalDRAM over Q x N = 16 iterations");
}

TEST_CASE("a loop in between moves what a level does not keep") {
  Mapping m = nest({{Dim::C, 16}, {Dim::K, 16}, {Dim::Q, 8}, {Dim::N, 2}, {Dim::S, 3}},
                   {{Dim::P, 8}}, {{Dim::R, 3}});
  Architecture a = simple();
  a.levels[1].bypass_free = true;
  m.levels[1].stores = {true, false, true};
  // R at GlobalBuffer moves the weights in the PEs; P at RowBuffer leaves them nowhere else.
  const Dataflow d = analyse_dataflow(a, layer(), m);
  for (const Stationary& s : d.stationary) CHECK(s.tensor != Tensor::weight);
  CHECK(d.stays[0][index(Tensor::weight)] == 1);
  CHECK(d.stays[1][index(Tensor::weight)] == std::nullopt);
}

TEST_CASE("random mappings: what a walk of the loop nest sees") {
  const testkit::Size size{.macs = 96, .levels = 5, .free_levels = 3};
  const std::size_t cases = testkit::cases(3000);
  std::size_t feasible = 0;
  std::size_t stationary = 0;
  std::size_t unrolled = 0;
  const std::uint64_t first = testkit::first_seed(0);
  for (std::uint64_t seed = first; seed < first + cases; ++seed) {
    Choices choices(seed);
    const Instance i = testkit::random_instance(choices, size);
    for (int repeat = 0; repeat < 4; ++repeat) {
      const Mapping m = testkit::random_mapping(i.architecture, i.workload, choices, 4);
      CAPTURE(seed);
      CAPTURE(testkit::to_json(i));
      CAPTURE(testkit::to_json(m, i.architecture));
      if (!oracle::broken_rule(i.architecture, i.workload, m).empty()) continue;
      const Dataflow found = analyse_dataflow(i.architecture, i.workload, m);
      check_space(i, m, found);
      check_stays(i, m, found);
      check_stationary(i, m, found);
      ++feasible;
      stationary += found.stationary.empty() ? 0 : 1;
      unrolled += m.spatial_tile() == kOnes ? 0 : 1;
    }
  }
  CHECK(feasible >= cases / 2);
  CHECK(stationary >= cases / 4);
  CHECK(unrolled >= cases / 8);
}
