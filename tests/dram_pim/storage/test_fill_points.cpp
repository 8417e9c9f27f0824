// Fill points against their definition (fill_points.hpp): every tile of every level, and every
// unrolling, reduced to the vectors that no other one equals or beats.
#include <doctest/doctest.h>

#include <set>

#include "dram_pim/mapper/arrivals.hpp"
#include "dram_pim/storage/fill_points.hpp"
#include "support/cases.hpp"
#include "support/instances.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using mapper::FillPoint;
using mapper::FillPoints;
using mapper::PartialStorage;
using mapper::PassingRun;
using mapper::Stored;
using mapper::TileIndex;
using testkit::Choices;

namespace {

template <std::size_t N>
using Vectors = std::set<std::array<Int128, N>>;

/// Without those that another one equals or beats everywhere.
template <std::size_t N>
Vectors<N> minimal(const Vectors<N>& all) {
  Vectors<N> kept;  // ascending: none is beaten by a later one
  for (const auto& v : all) {
    const bool beaten = std::ranges::any_of(kept, [&](const auto& other) {
      bool no_worse = true;
      for (std::size_t k = 0; k < N && no_worse; ++k) no_worse = other[k] <= v[k];
      return no_worse;
    });
    if (!beaten) kept.insert(v);
  }
  return kept;
}

/// The same, at most 64 of them: with 10 leading bits of each number, 9, ...
template <std::size_t N>
Vectors<N> few(const Vectors<N>& all) {
  Vectors<N> kept = minimal(all);
  for (int bits = 10; bits > 0 && kept.size() > 64; --bits) {
    Vectors<N> rounded;
    for (auto v : kept) {
      for (Int128& x : v) {
        Int128 unit = 1;
        while (x / unit >= (Int128{1} << bits)) unit *= 2;
        x -= x % unit;
      }
      rounded.insert(v);
    }
    kept = minimal(rounded);
  }
  return kept;
}

/// The tiles that a level can hold together with the tensors `stored`.
std::vector<TileIndex> tiles_that_fit(const mapper::Instance& i, std::size_t level,
                                      const TensorFlags& stored) {
  std::vector<TensorFlags> stores(i.architecture.levels.size(), TensorFlags{true, true, true});
  stores[level] = stored;
  const mapper::Storage storage(i.architecture, i.workload, i.scale, stores);
  std::vector<TileIndex> result;
  for (TileIndex tile = 0; tile < i.lattice.size(); ++tile) {
    bool fits = level > 0 && storage.fits(level, i.lattice[tile]);
    for (const auto& array : i.vectors.array()) {
      if (level > 0) break;
      Factors share = i.lattice[tile].c;
      const Factors& on_array = i.lattice[array.tile].c;
      bool divides = true;
      for (std::size_t j = 0; j < kDims; ++j) {
        divides = divides && share[j] % on_array[j] == 0;
        share[j] /= on_array[j];
      }
      fits = fits || (divides && storage.fits_pe(share));
    }
    if (fits) result.push_back(tile);
  }
  return result;
}

/// V of one outer sweep, and of all.
struct Fills {
  PerTensor<Int128> sweep, all, irrelevant;
};

Fills fills_of(const Workload& w, const Factors& c) {
  Fills fills;
  for (const Tensor t : kAllTensors) {
    const std::size_t k = index(t);
    fills.sweep[k] = w.tile_elements(t, c);
    fills.irrelevant[k] = 1;
    for (const Dim j : kAllDims) {
      (relevant(t, j) ? fills.sweep : fills.irrelevant)[k] *= w.bound(j) / c[index(j)];
    }
    fills.all[k] = fills.sweep[k] * fills.irrelevant[k];
  }
  return fills;
}

class Definition {
 public:
  Definition(const mapper::Instance& i, const FillPoints& points) : i_(i), points_(points) {
    for (TileIndex tile = 0; tile < i.lattice.size(); ++tile) {
      const Int128 sweep = fills_of(i.workload, i.lattice[tile].c).sweep[0];
      if (tile == 0 || sweep < least_sweep_) least_sweep_ = sweep;
    }
  }

  [[nodiscard]] std::array<Int128, 12> point(std::size_t level, TileIndex tile,
                                             const PassingRun& run) const {
    const std::size_t rb = i_.architecture.row_buffer();
    const Fills fills = fills_of(i_.workload, i_.lattice[tile].c);
    std::array<Int128, 12> p{};
    for (const Tensor t : kAllTensors) {
      const std::size_t k = index(t);
      const bool stationary = t == run.stationary;
      p[k] = stationary ? fills.sweep[k] : fills.all[k];
      const Int128 inside = stationary && run.goes_on_inside ? fills.sweep[k] : fills.all[k];
      if (level > 0) p[3 + k] = points_.further_in(t, inside);
      if (level < rb && run.comes_from_outside && !stationary) {
        p[6 + k] = t == Tensor::input ? least_sweep_ * fills.irrelevant[k] : fills.all[k];
      }
      if (level == rb) {
        const auto reuse = mapper::row_reuse(i_.lattice, i_.lattice[tile], run.stationary, nullptr);
        p[9 + k] = i_.rows.least(tile, reuse)[k];
      }
    }
    return p;
  }

  [[nodiscard]] Vectors<12> points(std::size_t level, const TensorFlags& stored,
                                   const PassingRun& run) const {
    Vectors<12> all;
    for (const TileIndex tile : tiles_that_fit(i_, level, stored)) {
      all.insert(point(level, tile, run));
    }
    return few(all);
  }

  /// Whether every level can hold what it is sure to store of an unrolling's own tile.
  [[nodiscard]] bool holds(const PartialStorage& storage, const Factors& on_array,
                           const Factors& inside) const {
    const Architecture& a = i_.architecture;
    Factors tile = inside;
    for (std::size_t j = 0; j < kDims; ++j) tile[j] *= on_array[j];
    for (std::size_t m = 0; m <= a.row_buffer(); ++m) {
      std::int64_t sum = 0;
      std::int64_t most = 0;
      for (const Tensor t : kAllTensors) {
        if (storage[m][index(t)] != Stored::yes) continue;
        const std::int64_t bytes =
            a.tile_bytes(t, i_.workload.tile_elements(t, m == 0 ? inside : tile));
        sum += bytes;
        most = std::max(most, bytes);
      }
      if (a.levels[m].capacity && (m == a.row_buffer() ? most : sum) > *a.levels[m].capacity) {
        return false;
      }
    }
    return true;
  }

  /// compute, fed, read, cycles of level 0 of every unrolling that a storage choice leaves.
  [[nodiscard]] Vectors<10> leaves(const PartialStorage& storage) const {
    const Architecture& a = i_.architecture;
    const Workload& w = i_.workload;
    Vectors<10> all;
    for (const auto& array : i_.vectors.array()) {
      for (const auto& internal : i_.vectors.internal()) {
        if ((array.dims & internal.dims) != 0) continue;
        const Factors& on_array = i_.lattice[array.tile].c;
        const Factors& inside = i_.lattice[internal.tile].c;
        if (!holds(storage, on_array, inside)) continue;
        std::int64_t pes = 1;
        std::int64_t at_once = 1;
        bool reduces = false;
        PerTensor<std::int64_t> shared{1, 1, 1};  // by the MACs of a PE
        for (const Dim j : kAllDims) {
          pes *= on_array[index(j)];
          at_once *= inside[index(j)];
          for (const Tensor t : kAllTensors) {
            if (!relevant(t, j)) shared[index(t)] *= inside[index(j)];
          }
          reduces = reduces || (is_reduction(j) && inside[index(j)] > 1);
        }
        std::array<Int128, 10> leaf{};
        leaf[0] = w.macs() / (pes * at_once) * i_.scale.cycle;
        if (reduces) leaf[0] += i_.scale.reduction;
        for (const Tensor t : kAllTensors) {
          const std::size_t k = index(t);
          leaf[1 + k] = mapper::direct_feed(a, w, t, 1, on_array, inside);
          for (std::size_t m = 2; m <= a.row_buffer(); ++m) {
            leaf[1 + k] =
                std::min<Int128>(leaf[1 + k], mapper::direct_feed(a, w, t, m, on_array, inside));
          }
          leaf[4 + k] = w.macs() / shared[k];
          const Int128 reads = a.psum_rereads && t == Tensor::output
                                   ? 2 * leaf[4 + k] - w.tensor_elements(t)
                                   : leaf[4 + k];
          leaf[7 + k] = reads * i_.scale.transfer[0][k] / pes;
        }
        all.insert(leaf);
      }
    }
    return few(all);
  }

 private:
  const mapper::Instance& i_;
  const FillPoints& points_;
  Int128 least_sweep_ = 0;
};

Vectors<12> found_at(const FillPoints& points, std::size_t level, const TensorFlags& stored,
                     const PassingRun& run) {
  Vectors<12> found;
  for (const FillPoint& p : points.at(level, stored, run)) {
    found.insert({p.fills[0], p.fills[1], p.fills[2], p.inside[0], p.inside[1], p.inside[2],
                  p.outside[0], p.outside[1], p.outside[2], p.rows[0], p.rows[1], p.rows[2]});
  }
  return found;
}

void check_leaves(const FillPoints& points, const Definition& definition,
                  const PartialStorage& storage) {
  Vectors<10> found;
  for (const mapper::LeafPoint& p : points.leaves(storage)) {
    found.insert({p.compute, p.fed[0], p.fed[1], p.fed[2], p.read[0], p.read[1], p.read[2],
                  p.pe_cycles[0], p.pe_cycles[1], p.pe_cycles[2]});
  }
  CHECK((found == definition.leaves(storage)));
}

/// Any, but that the row buffer and the DRAM store everything.
PartialStorage random_storage(const Architecture& a, Choices& choices) {
  PartialStorage storage(a.levels.size(), {Stored::yes, Stored::yes, Stored::yes});
  for (std::size_t m = 0; m < a.row_buffer(); ++m) {
    for (Stored& stored : storage[m]) stored = static_cast<Stored>(choices.pick(3));
  }
  return storage;
}

void check_all(const Architecture& a, const Workload& w, RowModel model) {
  const mapper::Instance instance(a, w, model);
  FillPoints points(instance);
  const Definition definition(instance, points);
  const Int128 windows = (w.stride_w + w.dilation_w) * (w.stride_h + w.dilation_h);
  CHECK((points.most_fills() == w.macs() * windows));
  Int128 fewest_rows = mapper::kInfinity;
  for (std::size_t level = 0; level <= a.row_buffer(); ++level) {
    for (const TensorFlags& stored :
         {TensorFlags{true, true, true}, TensorFlags{false, true, false}}) {
      points.prepare_points(level, stored);
      for (unsigned k = 0; k < 12; ++k) {
        const PassingRun run{static_cast<Tensor>(k / 4), k % 4 > 1, k % 2 == 1};
        const Vectors<12> found = found_at(points, level, stored, run);
        CHECK((found == definition.points(level, stored, run)));
        if (level < a.row_buffer() || !stored[0] || k % 4 != 1) continue;
        for (const auto& p : found) fewest_rows = std::min(fewest_rows, p[9] + p[10] + p[11]);
      }
    }
  }
  CHECK((points.least_activations() == fewest_rows));
}

}  // namespace

TEST_CASE("fill points are those of all tiles that fit") {
  const std::uint64_t first = testkit::first_seed(1);
  for (std::uint64_t seed = first; seed < first + testkit::cases(60); ++seed) {
    CAPTURE(seed);
    Choices choices(seed);
    const testkit::Instance i = testkit::random_instance(choices, {.macs = 48, .free_levels = 3});
    check_all(i.architecture, i.workload, i.row_model);
  }
}

TEST_CASE("unrollings are those whose tile fits every level with what it stores") {
  const std::uint64_t first = testkit::first_seed(1);
  std::size_t fewer = 0;
  for (std::uint64_t seed = first; seed < first + testkit::cases(200); ++seed) {
    CAPTURE(seed);
    Choices choices(seed);
    const testkit::Instance i = testkit::random_instance(choices, {.macs = 48, .free_levels = 3});
    const mapper::Instance instance(i.architecture, i.workload, i.row_model);
    FillPoints points(instance);
    const Definition definition(instance, points);
    const auto all_leaves = [&](const PartialStorage& storage) {
      points.prepare(storage);
      check_leaves(points, definition, storage);
      return points.leaves(storage).size();
    };
    PartialStorage open(i.architecture.levels.size(), {Stored::yes, Stored::yes, Stored::yes});
    for (std::size_t m = 0; m < i.architecture.row_buffer(); ++m) open[m].fill(Stored::open);
    const std::size_t most = all_leaves(open);
    for (int k = 0; k < 4; ++k) {
      if (all_leaves(random_storage(i.architecture, choices)) < most) ++fewer;
    }
  }
  if (testkit::cases(200) >= 200) CHECK(fewer > 0);
}

namespace {

/// PEs of 16 bytes, a buffer of 4 KB, rows of 2 KB.
Architecture one_buffer() {
  Architecture a;
  a.name = "one_buffer";
  a.pe_array.height = 4;
  a.pe_array.width = 4;
  const auto level = [](const char* name, std::optional<std::int64_t> capacity) {
    MemoryLevel m;
    m.name = name;
    m.capacity = capacity;
    m.access_cost = Rational(1, 100);
    m.blocksize = 16;
    m.latency = 1;
    return m;
  };
  a.levels = {level("PE", 16), level("L1", 4096), level("RB", {}), level("DRAM", {})};
  a.levels[2].row_buffer_size = a.levels[3].row_buffer_size = 2048;
  return a;
}

}  // namespace

// Of a buffer of 4096 bytes they are 64, of one of 512 bytes 123.
TEST_CASE("many fill points are rounded down until they are few") {
  Workload w;
  for (const Dim j : {Dim::P, Dim::C, Dim::K}) w.bounds[index(j)] = 180;
  const PassingRun run{Tensor::input, false, false};
  const TensorFlags all{true, true, true};
  for (const std::int64_t bytes : {512, 4096}) {
    CAPTURE(bytes);
    Architecture a = one_buffer();
    a.levels[1].capacity = bytes;
    const mapper::Instance instance(a, w, RowModel::hybrid);
    FillPoints points(instance);
    points.prepare_points(1, all);
    const Vectors<12> found = found_at(points, 1, all, run);
    CHECK(found.size() == (bytes == 512 ? 60 : 64));
    CHECK((found == Definition(instance, points).points(1, all, run)));
  }
}

// A kernel of 1 with a stride of 3 sees every third column, but a tile of several outputs covers
// the columns between them too: 1, 4, 7, ... for 1, 2, 3, ... outputs.
TEST_CASE("the sweep of a smaller tile is shorter where windows have gaps") {
  Workload w;
  w.bounds[index(Dim::P)] = 4;
  w.bounds[index(Dim::K)] = 2;
  w.stride_w = 3;
  const Architecture a = one_buffer();
  const mapper::Instance gaps(a, w, RowModel::analytic);
  const FillPoints points(gaps);
  const auto& shrink = points.input_shrink();
  // 4 tiles of 1 element instead of one of 10.
  CHECK(shrink.den == 65536);
  CHECK(shrink.num == 65536 * 4 / 10);
  CHECK((points.further_in(Tensor::input, 100) == 39));  // floor(100 * 26214 / 65536)
  CHECK((points.further_in(Tensor::weight, 100) == 100));

  w.bounds[index(Dim::Q)] = 2;
  w.stride_h = 2;
  const mapper::Instance both(a, w, RowModel::analytic);
  // 2 tiles of 1 row instead of one of 3.
  CHECK(FillPoints(both).input_shrink().num == 65536 * 4 / 10 * 2 / 3);

  w = {};
  w.bounds[index(Dim::P)] = 6;
  w.bounds[index(Dim::R)] = 3;
  const mapper::Instance overlap(a, w, RowModel::analytic);
  CHECK(FillPoints(overlap).input_shrink().num == 1);  // smaller tiles read more, never less
  CHECK(FillPoints(overlap).input_shrink().den == 1);
}

TEST_CASE("fill points ask for the memory of their tiles and of a vector for each") {
  Workload w;
  w.bounds[index(Dim::C)] = 12;
  w.bounds[index(Dim::K)] = 10;
  const Architecture a = one_buffer();
  const mapper::Instance instance(a, w, RowModel::analytic);
  run::Guard guard;
  std::uint64_t asked = 0;
  guard.note = [&](std::uint64_t bytes) { asked = bytes; };
  FillPoints points(instance, guard);
  points.prepare_points(1, {true, true, true});
  const std::uint64_t tiles = tiles_that_fit(instance, 1, {true, true, true}).size();
  CHECK(tiles > 12);
  CHECK(asked == tiles * (sizeof(TileIndex) + 12 * 12 * sizeof(Int128)));
  guard.room = 100;
  CHECK_THROWS_AS(FillPoints(instance, guard), run::TooLarge);
}
