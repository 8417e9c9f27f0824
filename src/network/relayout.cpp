// Walking a pass, element by element in the order of the new addresses.
#include "network/relayout.hpp"

#include <algorithm>

namespace pimbb::network {
namespace {

std::int64_t blocks(std::int64_t length, std::int64_t block) {
  return (length + block - 1) / block;
}

/// One open row.
class Bank {
 public:
  explicit Bank(std::int64_t row) : row_(row) {}
  void access(std::int64_t address) {
    const std::int64_t row = address / row_;
    activations_ += row != open_ ? 1 : 0;
    open_ = row;
  }
  [[nodiscard]] std::int64_t activations() const { return activations_; }

 private:
  std::int64_t row_;
  std::int64_t open_ = -1;
  std::int64_t activations_ = 0;
};

/// Calls visit(n, c, h, w) with every element of `part`, ascending in the addresses of `place`.
template <class Visit>
void in_order(const Placement& place, const Rectangle& part, const Visit& visit) {
  const std::array<std::int64_t, 4> low{0, 0, part.top, part.left};
  const std::array<std::int64_t, 4> high{place.batch, place.channels, part.top + part.height,
                                         part.left + part.width};
  if (place.layout == Layout::sequential) {
    for (std::int64_t n = 0; n < high[0]; ++n) {
      if (place.channels_last) {
        for (std::int64_t h = low[2]; h < high[2]; ++h) {
          for (std::int64_t w = low[3]; w < high[3]; ++w) {
            for (std::int64_t c = 0; c < high[1]; ++c) visit(n, c, h, w);
          }
        }
        continue;
      }
      for (std::int64_t c = 0; c < high[1]; ++c) {
        for (std::int64_t h = low[2]; h < high[2]; ++h) {
          for (std::int64_t w = low[3]; w < high[3]; ++w) visit(n, c, h, w);
        }
      }
    }
    return;
  }
  const std::array<std::int64_t, 4> origin{0, 0, place.own.top, place.own.left};
  std::array<std::int64_t, 4> first{};
  std::array<std::int64_t, 4> last{};
  for (std::size_t k = 0; k < first.size(); ++k) {
    first[k] = (low[k] - origin[k]) / place.box[k];
    last[k] = (high[k] - 1 - origin[k]) / place.box[k];
  }
  const auto range = [&](std::size_t k, std::int64_t block) {
    const std::int64_t begin = origin[k] + block * place.box[k];
    return std::pair{std::max(low[k], begin), std::min(high[k], begin + place.box[k])};
  };
  for (std::int64_t bn = first[0]; bn <= last[0]; ++bn) {
    for (std::int64_t bc = first[1]; bc <= last[1]; ++bc) {
      for (std::int64_t bh = first[2]; bh <= last[2]; ++bh) {
        for (std::int64_t bw = first[3]; bw <= last[3]; ++bw) {
          const auto [n0, n1] = range(0, bn);
          const auto [c0, c1] = range(1, bc);
          const auto [h0, h1] = range(2, bh);
          const auto [w0, w1] = range(3, bw);
          for (std::int64_t n = n0; n < n1; ++n) {
            for (std::int64_t c = c0; c < c1; ++c) {
              for (std::int64_t h = h0; h < h1; ++h) {
                for (std::int64_t w = w0; w < w1; ++w) visit(n, c, h, w);
              }
            }
          }
        }
      }
    }
  }
}

}  // namespace

Rectangle intersection(const Rectangle& a, const Rectangle& b) {
  const std::int64_t top = std::max(a.top, b.top);
  const std::int64_t left = std::max(a.left, b.left);
  return {top, left, std::min(a.top + a.height, b.top + b.height) - top,
          std::min(a.left + a.width, b.left + b.width) - left};
}

Rectangle hull(const Rectangle& a, const Rectangle& b) {
  const std::int64_t top = std::min(a.top, b.top);
  const std::int64_t left = std::min(a.left, b.left);
  return {top, left, std::max(a.top + a.height, b.top + b.height) - top,
          std::max(a.left + a.width, b.left + b.width) - left};
}

std::int64_t Placement::address(std::int64_t n, std::int64_t c, std::int64_t h, std::int64_t w,
                                std::int64_t row) const {
  if (layout == Layout::sequential) {
    const std::int64_t y = h - frame.top;
    const std::int64_t x = w - frame.left;
    const std::int64_t element =
        channels_last ? ((n * frame.height + y) * frame.width + x) * channels + c
                      : ((n * channels + c) * frame.height + y) * frame.width + x;
    return element * element_bytes;
  }
  const std::array<std::int64_t, 4> at{n, c, h - own.top, w - own.left};
  const std::array<std::int64_t, 4> size{batch, channels, own.height, own.width};
  std::int64_t group = 0;
  std::int64_t inside = 0;
  for (std::size_t k = 0; k < at.size(); ++k) {
    group = group * blocks(size[k], box[k]) + at[k] / box[k];
    inside = inside * box[k] + at[k] % box[k];
  }
  return group * row + inside * element_bytes;
}

bool Placement::agrees(const Placement& other) const {
  if (layout != other.layout || element_bytes != other.element_bytes) return false;
  if (layout == Layout::row_aligned) return own == other.own && box == other.box;
  return frame == other.frame && channels_last == other.channels_last;
}

PassCost pass_cost(const Architecture& a, std::int64_t elements, std::int64_t source_bytes,
                   std::int64_t target_bytes, std::int64_t source_rows, std::int64_t target_rows) {
  const MemoryLevel& buffer = a.levels[a.row_buffer()];
  const auto stream = [&](Tensor t, std::int64_t bytes, std::int64_t rows) {
    return Rational(elements) * bytes / buffer.bandwidth(t) +
           Rational(rows) * a.activation_cycles();
  };
  PassCost cost;
  cost.latency = max(stream(Tensor::input, source_bytes, source_rows),
                     stream(Tensor::output, target_bytes, target_rows));
  cost.activations = Rational(source_rows) + target_rows;
  cost.energy = Rational(2) * elements * (buffer.access_cost + a.levels[a.dram()].access_cost) +
                cost.activations * a.activation_energy;
  return cost;
}

const PassCost& Passes::cost(const Placement& from, const Placement& to) {
  const auto [place, is_new] = known_.try_emplace({from, to});
  PassCost& cost = place->second;
  if (!is_new || from.agrees(to)) return cost;
  const std::int64_t row = a_.row_bytes();
  Bank source(row);
  Bank target(row);
  std::int64_t elements = 0;
  in_order(to, intersection(from.own, to.own),
           [&](std::int64_t n, std::int64_t c, std::int64_t h, std::int64_t w) {
             source.access(from.address(n, c, h, w, row));
             target.access(to.address(n, c, h, w, row));
             ++elements;
           });
  cost = pass_cost(a_, elements, from.element_bytes, to.element_bytes, source.activations(),
                   target.activations());
  return cost;
}

PassCost Passes::floor(const Placement& from, const Placement& to) const {
  const Rectangle part = intersection(from.own, to.own);
  const std::int64_t elements = from.batch * from.channels * part.height * part.width;
  const auto rows = [&](std::int64_t bytes) {
    return blocks(elements, std::max<std::int64_t>(1, blocks(a_.row_bytes(), bytes)));
  };
  return pass_cost(a_, elements, from.element_bytes, to.element_bytes, rows(from.element_bytes),
                   rows(to.element_bytes));
}

}  // namespace pimbb::network
