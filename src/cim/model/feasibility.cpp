// The rules one after the other; capacity last, because it presumes the others.
#include "pimbb/cim/feasibility.hpp"

#include <algorithm>
#include <array>

#include "cim/model/elements.hpp"
#include "cim/model/unrolling.hpp"
#include "exact/int128.hpp"

namespace pimbb::cim {
namespace {

class Rules {
 public:
  Rules(const Architecture& a, const Workload& w, const Mapping& m, Padding padding)
      : a_(a), w_(w), m_(m), padding_(padding) {}

  std::optional<Violation> first_broken() {
    for (const auto rule : {&Rules::spatial, &Rules::factorization, &Rules::levels,
                            &Rules::doubling, &Rules::capacity}) {
      if (auto broken = (this->*rule)()) return broken;
    }
    return std::nullopt;
  }

  /// Of a feasible mapping.
  [[nodiscard]] Int128 bits_at(std::size_t level) {
    layer_ = padded(w_, padding_, m_.unrolled());
    return needed_bits(Elements(layer_), Unrolling(a_, m_.spatial), level);
  }

 private:
  std::optional<Violation> spatial() {
    if (m_.spatial.size() != a_.axes.size()) {
      return Violation{"spatial", "",
                       "found factors of " + std::to_string(m_.spatial.size()) +
                           " axes, needed are " + std::to_string(a_.axes.size())};
    }
    for (std::size_t u = 0; u < a_.axes.size(); ++u) {
      const Axis& axis = a_.axes[u];
      Int128 lanes = 1;
      for (const Dim d : kAllDims) {
        const std::int64_t f = m_.spatial[u][index(d)];
        if (f < 1 || (f > 1 && !axis.dims[index(d)])) {
          return Violation{"spatial", axis.name,
                           "the factor " + std::to_string(f) + " of " + std::string(name(d)) +
                               " on axis " + axis.name + " is not admitted"};
        }
        lanes *= f;
        if (lanes > axis.size) {
          return Violation{"spatial", axis.name,
                           "the factors on axis " + axis.name + " need more than its size " +
                               std::to_string(axis.size)};
        }
      }
    }
    return std::nullopt;
  }

  std::optional<Violation> factorization() {
    const Factors unrolled = m_.unrolled();
    layer_ = w_;
    for (const Dim d : kAllDims) {
      const std::size_t j = index(d);
      if (padding_ == Padding::ceil ? unrolled[j] > w_.bounds[j] : false) {
        return wrong_factor(d, "spatial factors exceed the bound " + std::to_string(w_.bounds[j]));
      }
    }
    layer_ = padded(w_, padding_, unrolled);
    Factors rest = layer_.bounds;
    for (const Dim d : kAllDims) {
      const std::size_t j = index(d);
      if (rest[j] % unrolled[j] != 0) {
        return wrong_factor(d, "spatial factors " + std::to_string(unrolled[j]) +
                                   " do not divide the bound " + std::to_string(rest[j]));
      }
      rest[j] /= unrolled[j];
    }
    for (const Loop& loop : m_.loops) {
      std::int64_t& left = rest[index(loop.dim)];
      if (loop.factor < 2 || left % loop.factor != 0) {
        return wrong_factor(loop.dim, "the loop factor " + std::to_string(loop.factor) +
                                          " is below 2 or does not divide what is left, " +
                                          std::to_string(left));
      }
      left /= loop.factor;
    }
    for (const Dim d : kAllDims) {
      if (rest[index(d)] != 1) {
        return wrong_factor(
            d, "the factors leave " + std::to_string(rest[index(d)]) + " iterations over");
      }
    }
    return std::nullopt;
  }

  std::optional<Violation> levels() {
    for (const Tensor t : kAllTensors) {
      for (std::size_t i = 0; i < m_.loops.size(); ++i) {
        const std::size_t level = m_.loops[i].level[index(t)];
        if (level >= a_.levels.size() || !a_.levels[level].stores[index(t)]) {
          return wrong_level(i, t, "which does not store it");
        }
        if (i > 0 && level > m_.loops[i - 1].level[index(t)]) {
          return wrong_level(i, t, "which is outside that of the loop around it");
        }
        if (m_.loops[i].dim == Dim::G && level == a_.innermost(t)) {
          return wrong_level(i, t, "the innermost one, where loops over G are not allowed");
        }
      }
    }
    return std::nullopt;
  }

  std::optional<Violation> doubling() {
    if (m_.doubled.size() != a_.levels.size()) {
      return Violation{"double", "",
                       "found flags of " + std::to_string(m_.doubled.size()) +
                           " levels, needed are " + std::to_string(a_.levels.size())};
    }
    for (std::size_t m = 0; m < a_.levels.size(); ++m) {
      for (const Tensor t : kAllTensors) {
        if (!m_.doubled[m][index(t)]) continue;
        if (!a_.may_double(m, t)) return wrong_flag(m, t, "may not be doubled there");
        const bool used = std::ranges::any_of(
            m_.loops, [&](const Loop& loop) { return loop.level[index(t)] == m; });
        if (!used) return wrong_flag(m, t, "has no loop there");
      }
    }
    return std::nullopt;
  }

  /// Whether outputs at `level` are partial sums: a reduction loop is there or outside.
  [[nodiscard]] bool psum(std::size_t level) const {
    return std::ranges::any_of(m_.loops, [&](const Loop& loop) {
      return is_reduction(loop.dim) && loop.level[index(Tensor::output)] >= level;
    });
  }

  /// Bits of the tile of a tensor that level m stores, both halves if it is doubled; 0 if no loop
  /// of the tensor is there.
  [[nodiscard]] Int128 needed_bits(const Elements& elements, const Unrolling& unrolling,
                                   std::size_t m, Tensor t) const {
    Factors extents = unrolling.at(t, m).tile;
    bool used = false;
    for (const Loop& loop : m_.loops) {
      used = used || loop.level[index(t)] == m;
      if (loop.level[index(t)] <= m) extents[index(loop.dim)] *= loop.factor;
    }
    if (!used) return 0;
    const bool partial = t == Tensor::output && psum(m);
    const std::int64_t bits = partial ? a_.bits.psum : a_.bits.tensor[index(t)];
    return Int128{elements(t, extents)} * bits * (m_.doubled[m][index(t)] ? 2 : 1);
  }

  [[nodiscard]] Int128 needed_bits(const Elements& elements, const Unrolling& unrolling,
                                   std::size_t m) const {
    Int128 needed = 0;
    for (const Tensor t : kAllTensors) {
      if (a_.levels[m].stores[index(t)]) needed += needed_bits(elements, unrolling, m, t);
    }
    return needed;
  }

  /// Outermost level first.
  std::optional<Violation> capacity() {
    const Elements elements(layer_);
    const Unrolling unrolling(a_, m_.spatial);
    for (std::size_t m = a_.levels.size(); m-- > 0;) {
      if (!a_.levels[m].size_bits) continue;
      const Int128 needed = needed_bits(elements, unrolling, m);
      if (needed > *a_.levels[m].size_bits) {
        return Violation{"capacity", a_.levels[m].name,
                         "the tiles at " + a_.levels[m].name + " need " + decimal(needed) +
                             " bits of " + std::to_string(*a_.levels[m].size_bits)};
      }
    }
    return std::nullopt;
  }

  static std::string decimal(Int128 value) {
    constexpr std::int64_t kBillion = 1'000'000'000;
    if (value < kBillion) return std::to_string(static_cast<std::int64_t>(value));
    const std::string low = std::to_string(static_cast<std::int64_t>(value % kBillion));
    return decimal(value / kBillion) + std::string(9 - low.size(), '0') + low;
  }

  [[nodiscard]] static Violation wrong_factor(Dim d, const std::string& what) {
    return {"factorization", std::string(name(d)), std::string(name(d)) + ": " + what};
  }
  [[nodiscard]] Violation wrong_level(std::size_t loop, Tensor t, const std::string& what) const {
    const std::size_t m = m_.loops[loop].level[index(t)];
    const std::string level = m < a_.levels.size() ? a_.levels[m].name : std::to_string(m);
    return {"levels", level,
            "loop " + std::to_string(loop) + ": the " + std::string(name(t)) + " is at " + level +
                ", " + what};
  }
  [[nodiscard]] Violation wrong_flag(std::size_t m, Tensor t, const std::string& what) const {
    return {"double", a_.levels[m].name,
            a_.levels[m].name + ": the " + std::string(name(t)) + " is doubled but " + what};
  }

  const Architecture& a_;
  const Workload& w_;
  const Mapping& m_;
  Padding padding_;
  Workload layer_;
};

}  // namespace

std::optional<Violation> find_violation(const Architecture& architecture, const Workload& workload,
                                        const Mapping& mapping, Padding padding) {
  return Rules(architecture, workload, mapping, padding).first_broken();
}

std::int64_t bits_at(const Architecture& architecture, const Workload& workload,
                     const Mapping& mapping, std::size_t level, Padding padding) {
  return static_cast<std::int64_t>(Rules(architecture, workload, mapping, padding).bits_at(level));
}

}  // namespace pimbb::cim
