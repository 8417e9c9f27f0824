// Bounds by recursion, and one solve for each.
#include "padded_instance.hpp"

#include "support/check_solution.hpp"

namespace testkit {

using namespace pimbb;
using namespace pimbb::dram_pim;

Instance padded_instance(std::uint64_t seed) {
  Choices choices(seed);
  Instance i = random_instance(choices, {.macs = 12});
  i.workload.input_frame.reset();
  i.workload.output_frame.reset();
  if (choices.once_in(4)) {
    i.workload.padding = Padding::all({Rational(choices.one_of({20, 34, 50})), true});
    return i;
  }
  Padding padding;
  for (std::size_t k = 0; k < 2; ++k) {
    padding.growth[choices.pick(kDims)] = {Rational(choices.one_of({1, 2})), false};
  }
  i.workload.padding = padding;
  return i;
}

std::vector<Factors> all_bounds(const Workload& layer) {
  std::vector<Factors> all{layer.bounds};
  for (const Dim d : kAllDims) {
    std::vector<Factors> more;
    const std::int64_t top = layer.padding->top(d, layer.bound(d));
    for (const Factors& bounds : all) {
      for (std::int64_t bound = layer.bound(d); bound <= top; ++bound) {
        more.push_back(bounds);
        more.back()[index(d)] = bound;
      }
    }
    all = std::move(more);
  }
  return all;
}

Workload unpadded(const Workload& layer, const Factors& bounds) {
  Workload one = layer;
  one.padding.reset();
  one.bounds = bounds;
  return one;
}

std::optional<std::vector<Rational>> least_of_all(const Instance& i) {
  std::optional<std::vector<Rational>> least;
  for (const Factors& bounds : all_bounds(i.workload)) {
    const Solution s = solve(i.architecture, unpadded(i.workload, bounds), options_for(i));
    if (!s.mapping) continue;
    std::vector<Rational> values;
    for (const GoalResult& goal : s.goals) values.push_back(goal.value);
    if (!least || values < *least) least = values;
  }
  return least;
}

}  // namespace testkit
