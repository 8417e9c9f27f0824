// The rules 1 to 7 of a feasible mapping (docs/model.md), one function each, in this order.
#include "pimbb/dram_pim/feasibility.hpp"

namespace pimbb::dram_pim {
namespace {

using Check = std::optional<Violation>;

std::string str(std::int64_t value) { return std::to_string(value); }
std::string str(std::string_view text) { return std::string(text); }

class Feasibility {
 public:
  Feasibility(const Architecture& a, const Workload& w, const Mapping& m) : a_(a), w_(w), m_(m) {}

  [[nodiscard]] Check first_violation() const {
    using Rule = Check (Feasibility::*)() const;
    for (const Rule rule :
         {&Feasibility::factors_positive, &Feasibility::factorization, &Feasibility::one_direction,
          &Feasibility::pe_array, &Feasibility::unit_type, &Feasibility::storage,
          &Feasibility::capacity, &Feasibility::row_aligned, &Feasibility::input_block}) {
      if (Check violation = (this->*rule)()) return violation;
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] Check factors_positive() const {
    if (m_.levels.size() != a_.levels.size()) {
      return Violation{"factorization", "the mapping has " + str(m_.levels.size()) +
                                            " levels, the architecture " + str(a_.levels.size())};
    }
    for (const Direction d : kAllDirections) {
      for (const Dim j : kAllDims) {
        if (m_.spatial_in(d)[index(j)] < 1) {
          return Violation{"factorization", "spatial factor of " + str(name(j)) + " in " +
                                                str(name(d)) + " is " +
                                                str(m_.spatial_in(d)[index(j)]) + "; at least 1"};
        }
      }
    }
    for (std::size_t m = 0; m < m_.levels.size(); ++m) {
      for (const Loop& loop : m_.levels[m].loops) {
        if (loop.factor < 1) {
          return Violation{"factorization", "temporal factor of " + str(name(loop.dim)) + " at " +
                                                a_.levels[m].name + " is " + str(loop.factor) +
                                                "; at least 1"};
        }
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] Check factorization() const {
    // Divide the bounds by one factor after the other: exact, and nothing can overflow.
    Factors rest{};
    for (const Dim j : kAllDims) rest[index(j)] = w_.bound(j);
    for_each_factor([&](Dim j, std::int64_t factor) {
      std::int64_t& left = rest[index(j)];  // 0 from a factor on that does not divide
      left = left % factor == 0 ? left / factor : 0;
    });
    for (const Dim j : kAllDims) {
      if (rest[index(j)] == 1) continue;
      std::string product;
      for_each_factor([&](Dim other, std::int64_t factor) {
        if (other == j) product += (product.empty() ? "" : " * ") + str(factor);
      });
      return Violation{"factorization", "factors of " + str(name(j)) + " are " +
                                            (product.empty() ? "1" : product) +
                                            ", their product must be " + str(w_.bound(j))};
    }
    return std::nullopt;
  }

  /// Calls visit(dimension, factor) for all factors other than 1, those on the array first.
  template <class Visit>
  void for_each_factor(Visit visit) const {
    for (const Direction d : kAllDirections) {
      for (const Dim j : kAllDims) {
        if (const std::int64_t f = m_.spatial_in(d)[index(j)]; f != 1) visit(j, f);
      }
    }
    for (const MappingLevel& level : m_.levels) {
      for (const Loop& loop : level.loops) {
        if (loop.factor != 1) visit(loop.dim, loop.factor);
      }
    }
  }

  [[nodiscard]] Check one_direction() const {
    for (const Dim j : kAllDims) {
      const auto unrolls = [&](Direction d) { return m_.spatial_in(d)[index(j)] > 1; };
      if (std::ranges::count_if(kAllDirections, unrolls) <= 1) continue;
      std::string used;
      for (const Direction d : kAllDirections) {
        if (unrolls(d)) used += (used.empty() ? "" : " and ") + str(name(d));
      }
      return Violation{"spatial", str(name(j)) + " is unrolled in " + used +
                                      "; a dimension unrolls in one direction at most"};
    }
    return std::nullopt;
  }

  [[nodiscard]] Check pe_array() const {
    for (const Direction d : kAllDirections) {
      std::int64_t used = 1;
      for (const std::int64_t f : m_.spatial_in(d)) used *= f;
      if (used > a_.pe_array.extent(d)) {
        return Violation{"pe_array", "spatial factors in " + str(name(d)) + " need " + str(used) +
                                         ", the array has " + str(a_.pe_array.extent(d))};
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] Check unit_type() const {
    for (const Direction d : kAllDirections) {
      for (const Dim j : kAllDims) {
        if (m_.spatial_in(d)[index(j)] > 1 && !a_.pe_array.allows(d, j)) {
          return Violation{
              "unit_type",
              "a " + str(kUnitTypeNames[static_cast<std::size_t>(a_.pe_array.unit_type)]) +
                  " unit does not unroll " + str(name(j)) + " in " + str(name(d))};
        }
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] Check storage() const {
    for (std::size_t m = 0; m < a_.levels.size(); ++m) {
      const TensorFlags may = a_.storable(m);
      const bool free = m < a_.row_buffer() && a_.levels[m].bypass_free;
      for (const Tensor t : kAllTensors) {
        const bool stored = m_.levels[m].stores[index(t)];
        const bool allowed = may[index(t)];
        if (stored && !allowed) {
          return Violation{"storage", a_.levels[m].name + " cannot store the " + str(name(t))};
        }
        if (!stored && allowed && !free) {
          return Violation{"storage", a_.levels[m].name + " must store the " + str(name(t))};
        }
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] Check capacity() const {
    Factors inner = m_.spatial_tile();
    for (std::size_t m = 0; m < a_.levels.size(); ++m) {
      inner = times(inner, m_.temporal(m));
      if (!a_.levels[m].capacity) continue;
      const Factors tile = m == 0 ? m_.pe_tile() : inner;
      const std::int64_t capacity = *a_.levels[m].capacity;
      const bool per_tensor = m == a_.row_buffer();
      std::int64_t total = 0;
      for (const Tensor t : kAllTensors) {
        if (!m_.levels[m].stores[index(t)]) continue;
        const std::int64_t bytes = a_.tile_bytes(t, w_.tile_elements(t, tile));
        total = per_tensor ? bytes : total + bytes;
        if (total > capacity) {
          return Violation{"capacity", a_.levels[m].name + " has " + str(capacity) + " bytes" +
                                           (per_tensor ? " a tensor" : "") +
                                           ", the tiles up to the " + str(name(t)) + " need " +
                                           str(total)};
        }
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] Check row_aligned() const {
    for (const Tensor t : {Tensor::weight, Tensor::output}) {
      if (m_.layout[index(t)] != Layout::row_aligned) continue;
      const std::int64_t bytes = a_.tile_bytes(t, w_.tile_elements(t, m_.tile(a_.row_buffer())));
      if (bytes > a_.row_bytes()) {
        return Violation{"layout", "a row-aligned " + str(name(t)) +
                                       " needs a row-buffer tile of " + str(a_.row_bytes()) +
                                       " bytes at most, it has " + str(bytes)};
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] Check input_block() const {
    if (m_.layout[index(Tensor::input)] != Layout::row_aligned) return std::nullopt;
    const Factors c = m_.tile(a_.row_buffer());
    const auto at = [&](Dim d) { return c[index(d)]; };
    if (Check v = block_edge("height", m_.input_block.h, w_.input_height(),
                             w_.extent_h(at(Dim::Q), at(Dim::S)))) {
      return v;
    }
    if (Check v = block_edge("width", m_.input_block.w, w_.input_width(),
                             w_.extent_w(at(Dim::P), at(Dim::R)))) {
      return v;
    }
    const std::int64_t bytes = a_.tile_bytes(
        Tensor::input, m_.input_block.h * m_.input_block.w * at(Dim::C) * at(Dim::N) * at(Dim::G));
    if (bytes > a_.row_bytes()) {
      return Violation{"layout", "a block of the row-aligned input needs " + str(bytes) +
                                     " bytes, a row has " + str(a_.row_bytes())};
    }
    return std::nullopt;
  }

  static Check block_edge(std::string_view edge, std::int64_t block, std::int64_t plane,
                          std::int64_t tile) {
    if (block < 1 || plane % block != 0) {
      return Violation{"layout", "the input block's " + str(edge) + " is " + str(block) +
                                     "; allowed are divisors of " + str(plane)};
    }
    if (block < tile) {
      return Violation{"layout", "the input block's " + str(edge) + " is " + str(block) +
                                     ", less than the row-buffer tile's " + str(tile)};
    }
    return std::nullopt;
  }

  const Architecture& a_;
  const Workload& w_;
  const Mapping& m_;
};

}  // namespace

std::optional<Violation> find_violation(const Architecture& architecture, const Workload& workload,
                                        const Mapping& mapping) {
  return Feasibility(architecture, workload, mapping).first_violation();
}

}  // namespace pimbb::dram_pim
