// Orders, factors, and what the question demands.
#include "cim/heuristic/first_mapping.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "cim/heuristic/filling.hpp"
#include "cim/heuristic/selection.hpp"
#include "cim/mapper/factor_steps.hpp"
#include "exact/factors.hpp"
#include "pimbb/cim/padding.hpp"

namespace pimbb::cim::heuristic {
namespace {

/// Dimensions, outermost first. G comes first because no level innermost for a tensor takes it.
constexpr std::array<std::string_view, 6> kOrders{"GKCRSNQP",  // weights stay
                                                  "GCRSKNQP",  // the same
                                                  "GNQPKCRS",  // outputs stay
                                                  "GKNQPCRS",  // the same
                                                  "GNQPCRSK",  // inputs stay
                                                  "GNKQPCRS"};
constexpr std::size_t kSchemes = 8;        // that are tried at least
constexpr std::size_t kMostSchemes = 256;  // until there is a mapping

class FirstMapping {
 public:
  FirstMapping(const Architecture& a, const Workload& layer, const Question& question)
      : a_(a), layer_(layer), question_(question), selection_(a, layer, question) {}

  [[nodiscard]] const Best& best() const { return best_; }

  void add(const mapper::Scheme& scheme) {
    Mapping shell;
    shell.spatial = scheme.spatial;
    const Workload layer = padded(layer_, question_.pricing.padding, shell.unrolled());
    const Elements elements(layer);
    for (const bool doubling : {false, true}) {
      if (question_.doubling == (doubling ? DoubleRule::off : DoubleRule::on)) continue;
      const Filling filling(a_, elements, scheme, doubling);
      for (const std::string_view order : kOrders) {
        add(filling.fill(factors_of(scheme.extents, order)));
      }
    }
  }

 private:
  [[nodiscard]] std::vector<Factor> factors_of(const Factors& extents,
                                               std::string_view order) const {
    std::vector<Factor> all;
    for (const char letter : order) {
      for (const Dim d : kAllDims) {
        if (name(d) != std::string_view(&letter, 1)) continue;
        const std::int64_t extent = extents[index(d)];
        for (const std::int64_t f : question_.factors == FactorRule::flex
                                        ? mapper::flexible_factors(extent)
                                        : prime_factors_of(extent)) {
          all.push_back({d, f});
        }
      }
    }
    return all;
  }

  void add(Mapping mapping) {
    if (question_.method == Method::ws && !is_stationary(mapping)) return;
    if (question_.factors == FactorRule::any) selection_.consider(best_, joined(mapping));
    selection_.consider(best_, std::move(mapping));
  }

  /// Whether loops that are irrelevant to weights are where weights stay in place.
  [[nodiscard]] bool is_stationary(const Mapping& mapping) const {
    return std::ranges::all_of(mapping.loops, [&](const Loop& loop) {
      return relevant(Tensor::weight, loop.dim) ||
             loop.level[index(Tensor::weight)] == a_.innermost(Tensor::weight);
    });
  }

  /// Neighbours that differ in their factors only, as one loop.
  static Mapping joined(Mapping mapping) {
    std::vector<Loop> loops;
    for (const Loop& loop : mapping.loops) {
      if (!loops.empty() && loops.back().dim == loop.dim && loops.back().level == loop.level) {
        loops.back().factor *= loop.factor;
      } else {
        loops.push_back(loop);
      }
    }
    mapping.loops = std::move(loops);
    return mapping;
  }

  const Architecture& a_;
  const Workload& layer_;
  const Question& question_;
  Selection selection_;
  Best best_;
};

}  // namespace

std::optional<Mapping> first_mapping(const Architecture& architecture, const Workload& layer,
                                     const Question& question,
                                     const std::vector<const mapper::Scheme*>& schemes) {
  FirstMapping first(architecture, layer, question);
  for (std::size_t k = 0; k < std::min(schemes.size(), kMostSchemes); ++k) {
    if (k >= kSchemes && !first.best().values.empty()) break;
    first.add(*schemes[k]);
  }
  if (first.best().values.empty()) return std::nullopt;
  return first.best().mapping;
}

std::vector<mapper::Scheme> simple_schemes(const Architecture& a, const Workload& layer) {
  mapper::Scheme none;
  none.spatial.assign(a.axes.size(), kOnes);
  none.extents = layer.bounds;
  mapper::Scheme full = none;
  for (std::size_t u = 0; u < a.axes.size(); ++u) {
    std::int64_t lanes = a.axes[u].size;
    for (std::size_t j = 0; j < kDims; ++j) {
      if (!a.axes[u].dims[j]) continue;
      for (const std::int64_t f : divisors_of(full.extents[j])) {
        if (f <= lanes) full.spatial[u][j] = std::max(full.spatial[u][j], f);
      }
      full.extents[j] /= full.spatial[u][j];
      lanes /= full.spatial[u][j];
    }
  }
  return {full, none};
}

}  // namespace pimbb::cim::heuristic
