// Enumeration by recursion over axes and dimensions.
#include "cim/mapper/schemes.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "exact/factors.hpp"

namespace pimbb::cim::mapper {
namespace {

class Enumeration {
 public:
  Enumeration(const Architecture& a, const Workload& w, Padding padding, const run::Guard& guard)
      : a_(a), w_(w), padding_(padding), guarded_(guard), steps_(guard), unrolled_(kOnes) {
    for (std::size_t j = 0; j < kDims; ++j) divisors_[j] = divisors_of(w.bounds[j]);
    scheme_.spatial.assign(a.axes.size(), kOnes);
  }

  std::vector<Scheme> run() {
    axis(0, 0, a_.axes[0].size);
    return std::move(schemes_);
  }

 private:
  void axis(std::size_t u, std::size_t j, std::int64_t lanes) {
    if (j == kDims) {
      if (u + 1 < a_.axes.size()) return axis(u + 1, 0, a_.axes[u + 1].size);
      return add();
    }
    if (!a_.axes[u].dims[j]) return axis(u, j + 1, lanes);
    const std::int64_t bound = w_.bounds[j];
    const auto take = [&](std::int64_t factor) {
      scheme_.spatial[u][j] = factor;
      unrolled_[j] *= factor;
      axis(u, j + 1, lanes / factor);
      unrolled_[j] /= factor;
      scheme_.spatial[u][j] = 1;
    };
    if (padding_ == Padding::ceil) {
      for (std::int64_t f = 1; f <= lanes && unrolled_[j] * f <= bound; ++f) take(f);
      return;
    }
    for (const std::int64_t f : divisors_[j]) {
      if (f > lanes) break;
      if (bound / unrolled_[j] % f == 0) take(f);
    }
  }

  void add() {
    steps_();
    const auto extents = temporal_extents(w_, padding_, unrolled_);
    if (!extents) return;
    scheme_.extents = *extents;
    schemes_.push_back(scheme_);
    constexpr std::size_t kSchemeBytes = sizeof(Scheme) + 3 * sizeof(Factors);
    if (schemes_.size() % 1024 == 0) guarded_.need(schemes_.size() * kSchemeBytes);
  }

  const Architecture& a_;
  const Workload& w_;
  Padding padding_;
  const run::Guard& guarded_;
  run::GuardedSteps steps_;
  std::array<std::vector<std::int64_t>, kDims> divisors_;
  Factors unrolled_;
  Scheme scheme_;
  std::vector<Scheme> schemes_;
};

void exchange(Factors& f) {
  std::swap(f[index(Dim::P)], f[index(Dim::Q)]);
  std::swap(f[index(Dim::R)], f[index(Dim::S)]);
}

}  // namespace

std::int64_t products(const Scheme& scheme) {
  std::int64_t product = 1;
  for (const std::int64_t extent : scheme.extents) product *= extent;
  return product;
}

std::optional<Factors> temporal_extents(const Workload& workload, Padding padding,
                                        const Factors& unrolled) {
  Factors extents = kOnes;
  for (std::size_t j = 0; j < kDims; ++j) {
    const std::int64_t bound = workload.bounds[j];
    if (unrolled[j] > bound) return std::nullopt;
    if (padding != Padding::ceil && bound % unrolled[j] != 0) return std::nullopt;
    extents[j] = (bound + unrolled[j] - 1) / unrolled[j];
  }
  return extents;
}

std::vector<Scheme> spatial_schemes(const Architecture& architecture, const Workload& workload,
                                    Padding padding, SchemeRule rule, const run::Guard& guard) {
  std::vector<Scheme> schemes = Enumeration(architecture, workload, padding, guard).run();
  if (rule == SchemeRule::full) {
    std::int64_t fewest = std::numeric_limits<std::int64_t>::max();
    for (const Scheme& scheme : schemes) fewest = std::min(fewest, products(scheme));
    std::erase_if(schemes, [&](const Scheme& scheme) { return products(scheme) > fewest; });
  }
  return schemes;
}

bool is_symmetric(const Architecture& a, const Workload& w) {
  Factors bounds = w.bounds;
  exchange(bounds);
  const bool plane = !w.input_plane || w.input_plane->width == w.input_plane->height;
  const bool axes = std::ranges::all_of(a.axes, [](const Axis& axis) {
    return axis.dims[index(Dim::P)] == axis.dims[index(Dim::Q)] &&
           axis.dims[index(Dim::R)] == axis.dims[index(Dim::S)];
  });
  return bounds == w.bounds && w.stride_w == w.stride_h && w.dilation_w == w.dilation_h && plane &&
         axes;
}

Scheme mirrored(const Scheme& scheme) {
  Scheme mirror = scheme;
  for (Factors& factors : mirror.spatial) exchange(factors);
  exchange(mirror.extents);
  return mirror;
}

bool before(const Scheme& a, const Scheme& b) { return a.spatial < b.spatial; }

}  // namespace pimbb::cim::mapper
