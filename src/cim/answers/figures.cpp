// A row for each figure.
#include "cim/answers/figures.hpp"

#include <algorithm>
#include <set>

#include "cim/model/elements.hpp"
#include "exact/factors.hpp"
#include "pimbb/cim/feasibility.hpp"

namespace pimbb::cim::figures {
namespace {

using pimbb::answers::integer_of;

constexpr std::int64_t kLargestSize = std::int64_t{1} << 60;

std::int64_t limited_product(std::int64_t a, std::int64_t b) {
  return b > kLargestSize / a ? kLargestSize : a * b;
}

/// The layer that no padded one exceeds.
Workload largest_padded(const Workload& w, Padding padding) {
  if (padding != Padding::ceil) return padded(w, padding);
  Workload largest = w;
  for (std::int64_t& bound : largest.bounds) bound = 2 * bound - 1;
  return largest;
}

/// Bits with which a level holds all tensors that it stores, doubled and as partial sums.
std::int64_t bits_of_all(const Architecture& a, const Workload& layer, std::size_t level,
                         Padding padding) {
  const Workload w = largest_padded(layer, padding);
  const Elements elements(w);
  std::int64_t all = 0;
  for (const Tensor t : kAllTensors) {
    if (!a.levels[level].stores[index(t)]) continue;
    std::int64_t bits = a.bits.tensor[index(t)];
    if (t == Tensor::output) bits = std::max(bits, a.bits.psum);
    all += std::min(limited_product(elements(t, w.bounds), 2 * bits), kLargestSize - all);
  }
  return all;
}

/// The largest product of factors of the axis's dimensions that is at most `lanes`.
std::int64_t usable_lanes(const Axis& axis, const Workload& w, std::int64_t lanes) {
  std::set<std::int64_t> products{1};
  for (const Dim d : kAllDims) {
    if (!axis.dims[index(d)]) continue;
    std::set<std::int64_t> more;
    for (const std::int64_t product : products) {
      for (const std::int64_t factor : divisors_of(w.bounds[index(d)])) {
        if (factor <= lanes / product) more.insert(product * factor);
      }
    }
    products = std::move(more);
  }
  return *products.rbegin();
}

class Collector {
 public:
  Collector(const Architecture& a, Padding padding) : a_(a), padding_(padding) {}

  std::vector<Figure> collect() {
    add("macro.activation_energy", FigureKind::energy, "nJ", a_.macro.activation_energy,
        [](Architecture& a, const Rational& x) { a.macro.activation_energy = x; });
    add("macro.input_bits_per_cycle", FigureKind::shape, "bits", a_.macro.input_bits_per_cycle,
        [](Architecture& a, const Rational& x) { a.macro.input_bits_per_cycle = integer_of(x); });
    add("leakage", FigureKind::energy, "nJ/cycle", a_.leakage,
        [](Architecture& a, const Rational& x) { a.leakage = x; });
    for (std::size_t axis = 0; axis < a_.axes.size(); ++axis) size_of_axis(axis);
    for (std::size_t level = 0; level < a_.levels.size(); ++level) figures_of_level(level);
    return std::move(figures_);
  }

 private:
  using Setter = std::function<void(Architecture&, const Rational&)>;

  Figure& add(const std::string& path, FigureKind kind, const std::string& unit,
              const Rational& today, const Setter& set) {
    return pimbb::answers::add_figure(figures_, path, kind, unit, today, set);
  }

  void size_of_axis(std::size_t u) {
    const Axis& own = a_.axes[u];
    Figure& figure =
        add("spatial_axes." + own.name + ".size", FigureKind::size, "lanes", own.size,
            [u](Architecture& a, const Rational& x) { a.axes[u].size = integer_of(x); });
    figure.is_axis = true;
    figure.most = [&own, padding = padding_](const Workload& layer) {
      // Of `ceil`, no spatial factor exceeds the bound.
      const Workload w = padding == Padding::even ? padded(layer, padding) : layer;
      std::int64_t all = 1;
      for (const Dim d : kAllDims) {
        if (own.dims[index(d)]) all = limited_product(all, w.bounds[index(d)]);
      }
      return all;
    };
    figure.usable = [&own, padding = padding_](const Workload& layer, std::int64_t lanes) {
      if (padding == Padding::ceil) return lanes;  // factors need not divide
      return usable_lanes(own, padded(layer, padding), lanes);
    };
    figure.need = [u](const Workload&, const Mapping& m) {
      std::int64_t lanes = 1;
      for (const std::int64_t factor : m.spatial[u]) lanes *= factor;
      return lanes;
    };
  }

  void figures_of_level(std::size_t m) {
    const Level& own = a_.levels[m];
    const std::string path = "levels." + own.name + ".";
    if (own.size_bits) {
      Figure& figure =
          add(path + "size_bits", FigureKind::size, "bits", *own.size_bits,
              [m](Architecture& a, const Rational& x) { a.levels[m].size_bits = integer_of(x); });
      figure.least = 0;
      figure.most = [&a = a_, m, padding = padding_](const Workload& w) {
        return bits_of_all(a, w, m, padding);
      };
      figure.need = [&a = a_, m, padding = padding_](const Workload& w, const Mapping& mapping) {
        return bits_at(a, w, mapping, m, padding);
      };
    }
    add(path + "bandwidth", FigureKind::shape, "bits/cycle", own.bandwidth,
        [m](Architecture& a, const Rational& x) { a.levels[m].bandwidth = integer_of(x); });
    add(path + "read_energy", FigureKind::energy, "nJ/bit", own.read_energy,
        [m](Architecture& a, const Rational& x) { a.levels[m].read_energy = x; });
    add(path + "write_energy", FigureKind::energy, "nJ/bit", own.write_energy,
        [m](Architecture& a, const Rational& x) { a.levels[m].write_energy = x; });
  }

  const Architecture& a_;
  Padding padding_;
  std::vector<Figure> figures_;
};

}  // namespace

std::vector<Figure> figures_of(const Architecture& architecture, Padding padding) {
  return Collector(architecture, padding).collect();
}

}  // namespace pimbb::cim::figures
