// Places, tiles and their costs.
#include "space.hpp"

#include <algorithm>

namespace pimbb_check::cim {

Space::Space(const Problem& p, const Units& units, const Scheme& scheme, PlaceTable& table)
    : p_(p), units_(units), cores_(scheme.cores()) {
  for (std::size_t j = 0; j < kDims; ++j) {
    places_[j] = &table.of(scheme.extents[j]);
    stride_[j] = cells_;
    cells_ *= places_[j]->size();
    products *= scheme.extents[j];
    if (reduces(j)) reductions *= scheme.extents[j];
    for (std::size_t t = 0; t < 3; ++t) {
      if (!relevant(t, j)) continue;
      plot_stride_[t][j] = plots_[t];
      plots_[t] *= places_[j]->size();
    }
  }
  Factors whole = scheme.unrolled();
  for (std::size_t j = 0; j < kDims; ++j) whole[j] *= scheme.extents[j];
  for (std::size_t t = 0; t < 3; ++t) {
    const std::int64_t all = p.elements(t, whole) * p.bits[t];
    boot[t] = all * units.bit[p.dram()];
    boot_out[t] = Energy{all} * units.out(p, t, p.dram());
    for (std::size_t m = 0; m < p.levels.size(); ++m) {
      if (p.levels[m].stores[t]) measure(t, m, scheme);
    }
  }
}

void Space::measure(std::size_t t, std::size_t m, const Scheme& scheme) {
  Factors unrolled = kOnes;
  instances_[t][m] = 1;
  for (std::size_t u = 0; u < p_.axes.size(); ++u) {
    for (std::size_t j = 0; j < kDims; ++j) {
      const bool inside = m >= p_.axes[u].fan_out[t];
      (inside ? unrolled[j] : instances_[t][m]) *= scheme.spatial[u][j];
    }
  }
  elements_[t][m].resize(plots_[t]);
  for (std::size_t plot = 0; plot < plots_[t]; ++plot) {
    Factors extents = unrolled;
    for (std::size_t j = 0; j < kDims; ++j) {
      if (plot_stride_[t][j] != 0) extents[j] *= place_of_plot(t, plot, j).done;
    }
    elements_[t][m][plot] = p_.elements(t, extents);
  }
}

std::size_t Space::plot(std::size_t cell, std::size_t t) const {
  std::size_t plot = 0;
  for (std::size_t j = 0; j < kDims; ++j) plot += plot_stride_[t][j] * number(cell, j);
  return plot;
}

Time Space::time(std::size_t t, std::size_t m, std::size_t plot, bool psum, bool first) const {
  const Time raw = bits(t, m, plot, psum) * units_.bit[m];
  const Time serial = first && m != p_.innermost(t) ? units_.cycle : 0;
  if (p_.semantics == Semantics::table3) return raw;
  if (p_.semantics == Semantics::recursion) return std::max(units_.cycle, raw) + serial;
  return (raw + units_.cycle - 1) / units_.cycle * units_.cycle + serial;
}

Energy Space::energy(std::size_t t, std::size_t m, bool psum, std::size_t x, bool psum_x,
                     std::size_t plot) const {
  const Energy out = Energy{bits(t, m, plot, psum)} * instances_[t][m] * units_.out(p_, t, m);
  return x == kMac ? out : out + boot_in(t, x, plot, psum_x);
}

Energy Space::charged(std::size_t t) const {
  const std::size_t z = p_.innermost(t);
  if (!p_.levels[z].always_charged) return 0;
  return Energy{products} * bits(t, z, 0, reductions > 1) * instances_[t][z] * units_.write[z] *
         ways(t);
}

}  // namespace pimbb_check::cim
