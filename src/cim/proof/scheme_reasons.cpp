// The first reason that holds: mirror image, no loops, bound; or the checker has to follow the
// nests.
#include "cim/proof/scheme_reasons.hpp"

#include <algorithm>

#include "run/parallel_for.hpp"

namespace pimbb::cim::proof {
namespace {

constexpr std::size_t kAtOnce = 1024;  // schemes

}  // namespace

std::string scheme_record(SchemeReason reason, std::uint64_t image) {
  std::string line(1, static_cast<char>(reason));
  if (reason == SchemeReason::mirror) line += " " + std::to_string(image);
  return line + "\n";
}

SchemeReasons::SchemeReasons(const Architecture& architecture, const Workload& given,
                             const Question& question, const run::Guard& guard)
    : a_(architecture),
      layer_(question.pricing.padding == Padding::even ? padded(given, Padding::even) : given),
      question_(question),
      units_(architecture),
      elements_(layer_),
      problem_(architecture, layer_, question_, units_, elements_),
      factors_(question.factors),
      guard_(guard) {
  const SchemeRule rule = question_.method == Method::ws ? SchemeRule::full : question_.schemes;
  schemes_ = mapper::spatial_schemes(a_, layer_, question_.pricing.padding, rule, guard_);
  guard_.need(schemes_.size() * (sizeof(mapper::Scheme) + sizeof(mapper::DimensionSteps)));
  for (const mapper::Scheme& scheme : schemes_) {
    mapper::DimensionSteps& steps = steps_.emplace_back();
    for (std::size_t j = 0; j < kDims; ++j) steps[j] = &factors_.of(scheme.extents[j]);
  }
  symmetric_ = mapper::is_symmetric(a_, layer_);
}

void SchemeReasons::close_all(const MayBeBetter& may_be_better, const Tell& tell) const {
  std::vector<Closed> closed;
  for (std::size_t begin = 0; begin < schemes_.size(); begin += kAtOnce) {
    closed.assign(std::min(kAtOnce, schemes_.size() - begin), {});
    run::parallel_for(closed.size(), [&](std::size_t k) {
      guard_.check();
      closed[k] = close(begin + k, may_be_better);
    });
    for (const Closed& one : closed) tell(one.reason, one.image);
  }
}

SchemeReasons::Closed SchemeReasons::close(std::size_t k, const MayBeBetter& may_be_better) const {
  const mapper::Scheme& scheme = schemes_[k];
  if (symmetric_) {
    const mapper::Scheme mirror = mapper::mirrored(scheme);
    if (mapper::before(mirror, scheme)) return {SchemeReason::mirror, number_of(mirror)};
  }
  if (std::ranges::all_of(scheme.extents, [](std::int64_t extent) { return extent == 1; })) {
    return {SchemeReason::no_loops, 0};
  }
  const mapper::SchemeBound quick = mapper::quick_bound(problem_, scheme);
  if (!may_be_better(quick.latency, quick.total)) return {};
  const mapper::SchemeBound bound = mapper::scheme_bound(problem_, scheme, steps_[k]);
  if (bound.latency >= mapper::kNever) return {};  // some tensor does not fit anywhere
  if (!may_be_better(bound.latency, bound.total)) return {};
  return {SchemeReason::followed, 0};
}

std::uint64_t SchemeReasons::number_of(const mapper::Scheme& scheme) const {
  const auto found = std::ranges::lower_bound(schemes_, scheme, mapper::before);
  return static_cast<std::uint64_t>(std::distance(schemes_.begin(), found));
}

std::pair<cost::Time, Int128> SchemeReasons::costs_of(const Mapping& mapping,
                                                      const Metrics& metrics) const {
  const auto latency = metrics.latency.in_units(units_.cycle);
  const Workload layer = padded(layer_, question_.pricing.padding, mapping.unrolled());
  const cost::Nest nest(a_, units_, layer, elements_, mapping);
  return {latency.value(), units_.total(cost::dynamic_energy(nest), latency.value())};
}

}  // namespace pimbb::cim::proof
