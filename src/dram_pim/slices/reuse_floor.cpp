// Tiles that fit a level, counted dimension by dimension; the largest K follows from the others.
#include "dram_pim/slices/reuse_floor.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace pimbb::dram_pim::slices {
namespace {

constexpr int kShift = 32;
constexpr Int128 kOne = Int128{1} << kShift;
constexpr std::int64_t kMostCost = std::int64_t{1} << 34;
/// Tiles looked at for one level; if there are more, nothing is known of it.
constexpr std::uint64_t kMostTiles = 4'000'000;
constexpr Int128 kNone = std::numeric_limits<std::int64_t>::max();

/// How often an element of one axis of the input is used inside a tile, as a fraction; the most of
/// all smaller tiles, for it is monotone in outputs and in taps.
struct AxisReuse {
  std::int64_t used = 1;
  std::int64_t elements = 1;

  AxisReuse(std::int64_t outputs, std::int64_t taps, std::int64_t stride, std::int64_t dilation) {
    for (const std::int64_t p : {std::int64_t{1}, outputs}) {
      for (const std::int64_t r : {std::int64_t{1}, taps}) {
        const std::int64_t extent = stride * (p - 1) + dilation * (r - 1) + 1;
        if (p * r * elements > used * extent) {
          used = p * r;
          elements = extent;
        }
      }
    }
  }
};

}  // namespace

/// The tiles of one level.
class ReuseFloor::Counter {
 public:
  Counter(const Architecture& a, const Workload& w, std::size_t level, const TensorFlags& stored,
          Level& result)
      : a_(a), w_(w), m_(level), stored_(stored), result_(result) {
    result.least_per_mac.fill(kNone);
    if (m_ == 0) array_ = a.pe_array.height * a.pe_array.width;
    for (const Direction d : {Direction::H, Direction::W}) {
      for (const Dim j : kAllDims) {
        const auto irrelevant = irrelevant_tensor(j);
        if (m_ == 0 && irrelevant && a.pe_array.allows(d, j)) unrolled_[index(*irrelevant)] = true;
      }
    }
  }

  /// False if there are too many.
  bool count() {
    Tile t;
    if (!count_from(0, t)) return false;
    for (Int128& least : result_.least_per_mac) {
      if (least == kNone) least = 0;  // no tile fits: nothing is said
    }
    return true;
  }

 private:
  struct Tile {
    std::int64_t p = 1, r = 1, q = 1, s = 1, n = 1, c = 1, k = 1;
  };
  struct Axis {
    std::int64_t Tile::*size;
    Dim dim;
  };
  static constexpr std::array<Axis, 5> kOuter{{{&Tile::p, Dim::P},
                                               {&Tile::r, Dim::R},
                                               {&Tile::q, Dim::Q},
                                               {&Tile::s, Dim::S},
                                               {&Tile::n, Dim::N}}};

  /// All sizes of the outer axes from `axis` on that fit, and of the channels.
  bool count_from(std::size_t axis, Tile& t) {
    if (axis == kOuter.size()) return count_channels(t);
    const Axis& outer = kOuter[axis];
    std::int64_t& size = t.*outer.size;
    for (size = 1; size <= w_.bound(outer.dim) && fits(t); ++size) {
      if (!count_from(axis + 1, t)) return false;
    }
    size = 1;
    return true;
  }

  [[nodiscard]] std::int64_t bytes(Tensor tensor, std::int64_t elements) const {
    return stored_[index(tensor)] ? a_.tile_bytes(tensor, elements) : 0;
  }

  [[nodiscard]] bool fits(const Tile& t) const {
    const std::int64_t input =
        bytes(Tensor::input, t.n * t.c * w_.extent_w(t.p, t.r) * w_.extent_h(t.q, t.s));
    const std::int64_t weight = bytes(Tensor::weight, t.k * t.c * t.r * t.s);
    const std::int64_t output = bytes(Tensor::output, t.n * t.k * t.p * t.q);
    const std::int64_t capacity = *a_.levels[m_].capacity;
    if (m_ == a_.row_buffer()) return std::max({input, weight, output}) <= capacity;
    return input + weight + output <= capacity;
  }

  bool count_channels(Tile t) {
    for (t.c = 1; t.c <= w_.bound(Dim::C); ++t.c) {
      t.k = 1;
      if (!fits(t)) return true;
      std::int64_t high = w_.bound(Dim::K) + 1;  // does not fit, or is too large
      while (t.k + 1 < high) {
        const std::int64_t low = t.k;
        t.k = low + (high - low) / 2;
        if (!fits(t)) {
          high = t.k;
          t.k = low;
        }
      }
      if (!count_arrays(t)) return false;
    }
    return true;
  }

  /// The tile with every share of the array for dimensions irrelevant to each tensor.
  bool count_arrays(const Tile& t) {
    const auto most = [&](Tensor tensor, std::int64_t rest) {
      return unrolled_[index(tensor)] ? rest : 1;
    };
    for (std::int64_t k = 1; k <= most(Tensor::input, array_); ++k) {
      const std::int64_t rest = array_ / k;
      const std::int64_t outputs = most(Tensor::weight, rest);
      for (std::int64_t o = 1; o <= outputs; ++o) {
        if (++tiles_ > kMostTiles) return false;
        evaluate(t, k, o, most(Tensor::output, rest / o));
      }
    }
    return true;
  }

  /// `k`, `outputs`, `taps`: factors of the array for K, for P Q N and for R S C.
  void evaluate(const Tile& t, std::int64_t k, std::int64_t outputs, std::int64_t taps) {
    const auto at_most = [&](Dim d, std::int64_t value) { return std::min(w_.bound(d), value); };
    const AxisReuse x(at_most(Dim::P, t.p * outputs), at_most(Dim::R, t.r * taps), w_.stride_w,
                      w_.dilation_w);
    const AxisReuse y(at_most(Dim::Q, t.q * outputs), at_most(Dim::S, t.s * taps), w_.stride_h,
                      w_.dilation_h);
    const auto per_mac = [&](Tensor tensor, Int128 elements, Int128 served) {
      return (result_.cost[index(tensor)] * kOne) * elements / served;
    };
    const PerTensor<Int128> fills{
        per_mac(Tensor::input, Int128{x.elements} * y.elements, Int128{x.used} * y.used * t.k * k),
        per_mac(Tensor::weight, 1, Int128{t.p} * t.q * t.n * outputs),
        per_mac(Tensor::output, 1, Int128{t.r} * t.s * t.c * taps)};
    for (const Tensor stays : kAllTensors) {
      Int128 sum = 0;
      for (const Tensor tensor : kAllTensors) {
        if (tensor != stays) sum += fills[index(tensor)];
      }
      Int128& least = result_.least_per_mac[index(stays)];
      least = std::min(least, sum);
    }
  }

  const Architecture& a_;
  const Workload& w_;
  const std::size_t m_;
  const TensorFlags stored_;
  Level& result_;
  std::int64_t array_ = 1;
  PerTensor<bool> unrolled_{};  // by the tensor that the dimensions are irrelevant to
  std::uint64_t tiles_ = 0;
};

ReuseFloor::ReuseFloor(const Architecture& a, const Workload& layer, const mapper::Scale& scale) {
  const auto must = [&](std::size_t m, Tensor t) {
    return a.storable(m)[index(t)] && (m >= a.row_buffer() || !a.levels[m].bypass_free);
  };
  for (std::size_t m = 0; m < a.dram(); ++m) {
    if (!a.levels[m].capacity) continue;
    Level level;
    TensorFlags stored{};
    bool useful = false;
    for (const Tensor t : kAllTensors) {
      stored[index(t)] = must(m, t);
      if (!must(m, t)) continue;
      std::size_t outer = m + 1;
      while (!a.storable(outer)[index(t)]) ++outer;
      const Int128 cost = scale.access[outer] * (a.psum_rereads && t == Tensor::output ? 2 : 1);
      if (!must(outer, t) || cost > kMostCost) continue;
      level.cost[index(t)] = static_cast<std::int64_t>(cost);
      useful = useful || cost > 0;
    }
    if (useful && Counter(a, layer, m, stored, level).count()) levels_.push_back(level);
  }
}

Int128 ReuseFloor::beyond_once(Int128 macs, const PerTensor<Int128>& elements) const {
  Int128 beyond = 0;
  for (const Level& level : levels_) {
    Int128 once = 0;
    for (const Tensor t : kAllTensors) once += level.cost[index(t)] * elements[index(t)];
    Int128 least = -1;
    for (const Tensor stays : kAllTensors) {
      const Int128 own = level.cost[index(stays)] * elements[index(stays)];
      const Int128 others = std::max(macs * level.least_per_mac[index(stays)] / kOne, once - own);
      if (least < 0 || own + others < least) least = own + others;
    }
    beyond += least - once;
  }
  return beyond;
}

}  // namespace pimbb::dram_pim::slices
