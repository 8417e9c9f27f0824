// Coordinate descent over the factors of all levels.
#include "dram_pim/device/first_split.hpp"

#include <algorithm>
#include <utility>

namespace pimbb::dram_pim::device {
namespace {

std::int64_t up_divided(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

class SplitDescent {
 public:
  SplitDescent(const Device& device, const Workload& layer, const Moves& moves,
               const std::function<Rational(const Split&, const Factors&)>& price,
               const std::function<bool(const Factors&)>& allowed, std::size_t most)
      : device_(device),
        layer_(layer),
        reductions_stay_(!moves[index(Tensor::output)]),
        price_(price),
        allowed_(allowed),
        left_(most),
        best_(device.levels.size(), kOnes) {}

  std::optional<FirstSplit> run() {
    improves(best_);
    for (bool better = true; better && left_ > 0;) {
      better = false;
      for (std::size_t d = device_.levels.size(); d-- > 0;) {
        for (const Dim j : kAllDims) better = set_factor(d, index(j)) || better;
      }
      if (!better) better = exchange_any();
    }
    if (!value_ || value_->first) return std::nullopt;
    return FirstSplit{best_, least_slice(layer_.bounds, best_)};
  }

 private:
  /// Whether slices are refused; what they need of a bank then, and else the price.
  using Value = std::pair<bool, Rational>;

  [[nodiscard]] bool may_split(std::size_t d, std::size_t j) const {
    const Dim dim = kAllDims[j];
    return device_.levels[d].dims[j] && !(reductions_stay_ && is_reduction(dim));
  }

  [[nodiscard]] Value value_of(const Split& split, const Factors& slice) const {
    if (!allowed_ || allowed_(slice)) return {false, price_(split, slice)};
    Rational need;
    for (const Tensor t : kAllTensors) need += layer_.tile_elements(t, slice);
    return {true, need};
  }

  bool improves(const Split& split) {
    if (left_ == 0) return false;
    --left_;
    Value value = value_of(split, least_slice(layer_.bounds, split));
    if (value_ && value >= *value_) return false;
    best_ = split;
    value_ = std::move(value);
    return true;
  }

  /// The largest factor of any use, beside the others.
  [[nodiscard]] std::int64_t largest(const Split& split, std::size_t d, std::size_t j) const {
    std::int64_t others = 1;
    for (const std::int64_t factor : split[d]) others *= factor;
    std::int64_t parts = 1;
    for (const Factors& factors : split) parts *= factors[j];
    return std::min(device_.levels[d].count / (others / split[d][j]),
                    up_divided(layer_.bounds[j], parts / split[d][j]));
  }

  /// The least factor that leads to slices as small.
  [[nodiscard]] Split with_factor(Split split, std::size_t d, std::size_t j,
                                  std::int64_t factor) const {
    split[d][j] = 1;
    std::int64_t others = 1;
    for (const Factors& factors : split) others *= factors[j];
    const std::int64_t whole = up_divided(layer_.bounds[j], others);
    split[d][j] = up_divided(whole, up_divided(whole, factor));
    return split;
  }

  bool set_factor(std::size_t d, std::size_t j) {
    if (!may_split(d, j)) return false;
    bool better = false;
    for (std::int64_t factor = largest(best_, d, j); factor >= 1; factor /= 2) {
      const Split split = with_factor(best_, d, j, factor);
      if (split != best_) better = improves(split) || better;
    }
    return better;
  }

  bool exchange_any() {
    for (std::size_t d = 0; d < device_.levels.size(); ++d) {
      for (std::size_t from = 0; from < kDims; ++from) {
        for (std::size_t to = 0; to < kDims; ++to) {
          if (from != to && may_split(d, to) && exchange(d, from, to)) return true;
        }
      }
    }
    return false;
  }

  /// A part of one dimension's factor for another dimension.
  bool exchange(std::size_t d, std::size_t from, std::size_t to) {
    for (std::int64_t left = best_[d][from] / 2; left >= 1; left /= 2) {
      Split split = with_factor(best_, d, from, left);
      split = with_factor(split, d, to, largest(split, d, to));
      if (split != best_ && improves(split)) return true;
    }
    return false;
  }

  const Device& device_;
  const Workload& layer_;
  const bool reductions_stay_;
  const std::function<Rational(const Split&, const Factors&)>& price_;
  const std::function<bool(const Factors&)>& allowed_;
  std::size_t left_;
  Split best_;
  std::optional<Value> value_;
};

}  // namespace

std::optional<FirstSplit> first_split(
    const Device& device, const Workload& layer, const Moves& moves,
    const std::function<Rational(const Split&, const Factors&)>& price,
    const std::function<bool(const Factors&)>& allowed, std::size_t most) {
  return SplitDescent(device, layer, moves, price, allowed, most).run();
}

}  // namespace pimbb::dram_pim::device
