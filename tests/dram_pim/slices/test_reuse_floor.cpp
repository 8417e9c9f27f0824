// The bound on refills against all tiles and shares of the array one by one, in fractions.
#include <doctest/doctest.h>

#include <algorithm>

#include "dram_pim/slices/reuse_floor.hpp"
#include "padded_instance.hpp"
#include "support/cases.hpp"
#include "support/full_size.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using testkit::Instance;

namespace {

/// The most uses of an element of one axis of the input inside a tile.
Rational axis_reuse(std::int64_t outputs, std::int64_t taps, std::int64_t stride,
                    std::int64_t dilation) {
  Rational most = 1;
  for (std::int64_t p = 1; p <= outputs; ++p) {
    for (std::int64_t r = 1; r <= taps; ++r) {
      most = max(most, Rational(p * r, stride * (p - 1) + dilation * (r - 1) + 1));
    }
  }
  return most;
}

/// The level's part of the bound, as the header states it.
class LevelByHand {
 public:
  LevelByHand(const Architecture& a, const Workload& w, const mapper::Scale& scale, std::size_t m)
      : a_(a), w_(w), m_(m) {
    for (const Tensor t : kAllTensors) {
      stored_[index(t)] = must(m, t);
      if (!must(m, t)) continue;
      std::size_t outer = m + 1;
      while (!a.storable(outer)[index(t)]) ++outer;
      if (!must(outer, t)) continue;
      cost_[index(t)] = scale.energy(scale.access[outer]);
      if (a.psum_rereads && t == Tensor::output) cost_[index(t)] *= 2;
    }
  }

  Rational beyond_once(const Rational& macs, const PerTensor<Int128>& elements) {
    each_size(Dim::P, [&] {
      each_size(Dim::Q, [&] {
        each_size(Dim::R, [&] {
          each_size(Dim::S, [&] {
            each_size(Dim::N,
                      [&] { each_size(Dim::C, [&] { each_size(Dim::K, [&] { meet(); }); }); });
          });
        });
      });
    });
    PerTensor<Rational> once;
    for (const Tensor t : kAllTensors) {
      once[index(t)] = cost_[index(t)] * static_cast<std::int64_t>(elements[index(t)]);
    }
    const Rational all = once[0] + once[1] + once[2];
    std::optional<Rational> least;
    for (const Tensor stays : kAllTensors) {
      const std::size_t k = index(stays);
      const Rational cost = once[k] + max(macs * least_[k].value_or(Rational()), all - once[k]);
      if (!least || cost < *least) least = cost;
    }
    return *least - all;
  }

 private:
  [[nodiscard]] bool must(std::size_t m, Tensor t) const {
    return a_.storable(m)[index(t)] && (m >= a_.row_buffer() || !a_.levels[m].bypass_free);
  }

  template <class Body>
  void each_size(Dim j, const Body& body) {
    for (tile_[index(j)] = 1; tile_[index(j)] <= w_.bound(j); ++tile_[index(j)]) body();
    tile_[index(j)] = 1;
  }

  [[nodiscard]] bool fits() const {
    std::int64_t sum = 0;
    std::int64_t most = 0;
    for (const Tensor t : kAllTensors) {
      if (!stored_[index(t)]) continue;
      const std::int64_t bytes = a_.tile_bytes(t, w_.tile_elements(t, tile_));
      sum += bytes;
      most = std::max(most, bytes);
    }
    return (m_ == a_.row_buffer() ? most : sum) <= *a_.levels[m_].capacity;
  }

  /// The array's largest factor for dimensions irrelevant to a tensor.
  [[nodiscard]] std::int64_t unrolled(Tensor t, std::int64_t rest) const {
    if (m_ != 0) return 1;
    for (const Dim j : kAllDims) {
      if (irrelevant_tensor(j) != t) continue;
      if (a_.pe_array.allows(Direction::H, j) || a_.pe_array.allows(Direction::W, j)) return rest;
    }
    return 1;
  }

  /// A tile, with all shares of the array.
  void meet() {
    if (!fits()) return;
    const std::int64_t array = a_.pe_array.height * a_.pe_array.width;
    for (std::int64_t k = 1; k <= unrolled(Tensor::input, array); ++k) {
      for (std::int64_t o = 1; o <= unrolled(Tensor::weight, array / k); ++o) {
        share(k, o, unrolled(Tensor::output, array / k / o));
      }
    }
  }

  void share(std::int64_t k, std::int64_t outputs, std::int64_t taps) {
    const auto at = [&](Dim j) { return tile_[index(j)]; };
    const auto wide = [&](Dim j, std::int64_t more) { return std::min(w_.bound(j), at(j) * more); };
    const Rational reuse =
        axis_reuse(wide(Dim::P, outputs), wide(Dim::R, taps), w_.stride_w, w_.dilation_w) *
        axis_reuse(wide(Dim::Q, outputs), wide(Dim::S, taps), w_.stride_h, w_.dilation_h);
    const PerTensor<Rational> fills{
        cost_[0] / (reuse * (at(Dim::K) * k)),
        cost_[1] / Rational(at(Dim::P) * at(Dim::Q) * at(Dim::N) * outputs),
        cost_[2] / Rational(at(Dim::R) * at(Dim::S) * at(Dim::C) * taps)};
    for (std::size_t stays = 0; stays < kTensors; ++stays) {
      const Rational others = fills[0] + fills[1] + fills[2] - fills[stays];
      if (!least_[stays] || others < *least_[stays]) least_[stays] = others;
    }
  }

  const Architecture& a_;
  const Workload& w_;
  const std::size_t m_;
  TensorFlags stored_{};
  PerTensor<Rational> cost_;
  PerTensor<std::optional<Rational>> least_;  // per MAC, by the tensor that stays
  Factors tile_ = kOnes;
};

/// The difference is less than rounding down makes; the energy beyond that of filling once.
Rational check_bound(const Architecture& a, const Workload& w) {
  const mapper::Scale scale = mapper::make_scale(a, w);
  PerTensor<Int128> elements{};
  for (const Tensor t : kAllTensors) elements[index(t)] = w.tile_elements(t, w.bounds);
  Rational exact;
  for (std::size_t m = 0; m < a.dram(); ++m) {
    if (!a.levels[m].capacity) continue;
    exact += LevelByHand(a, w, scale, m).beyond_once(w.macs(), elements);
  }
  const Rational found =
      scale.energy(slices::ReuseFloor(a, w, scale).beyond_once(w.macs(), elements));
  CHECK(found <= exact);
  CHECK(exact - found < scale.energy(2) * static_cast<std::int64_t>(a.levels.size()));
  return found;
}

}  // namespace

TEST_CASE("refills of random levels") {
  std::size_t some = 0;
  for (std::uint64_t seed = 0; seed < testkit::cases(100); ++seed) {
    Instance i = testkit::padded_instance(testkit::first_seed(65'000'000) + seed);
    CAPTURE(seed);
    CAPTURE(testkit::to_json(i));
    i.architecture.psum_rereads = seed % 2 == 0;
    const Workload layer = testkit::unpadded(i.workload, i.workload.tops());
    if (layer.macs() <= 100) some += check_bound(i.architecture, layer).sign() > 0 ? 1 : 0;
  }
  CHECK((some > 0 || testkit::cases(100) < 100));  // few cases need not meet every kind
}

TEST_CASE("refills of small buffers next to an array") {
  Architecture a = testkit::simple_pim();
  a.pe_array.height = 2;
  a.pe_array.width = 3;
  for (const bool rereads : {false, true}) {
    CAPTURE(rereads);
    a.psum_rereads = rereads;
    Workload w;
    w.stride_w = 2;
    for (const Factors& bounds : {Factors{3, 1, 5, 1, 2, 4, 1, 1}, Factors{2, 2, 3, 3, 1, 2, 2, 1},
                                  Factors{1, 1, 1, 1, 9, 9, 3, 1}}) {
      w.bounds = bounds;
      for (const std::int64_t capacity : {3, 7, 16}) {
        CAPTURE(capacity);
        a.levels[0].capacity = capacity;
        a.levels[1].capacity = 3 * capacity;
        a.levels[2].capacity = 5 * capacity;
        CHECK((check_bound(a, w).sign() > 0 || capacity == 16));
      }
    }
  }
}
