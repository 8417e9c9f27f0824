// Solves by key.
#include "network/layer_costs.hpp"

#include <algorithm>

#include "network/totals.hpp"

namespace pimbb::network {

const LayerAnswer& LayerCosts::answer(const Workload& w, const LayoutRange& input,
                                      const LayoutRange& output,
                                      const std::optional<Rational>& at_most,
                                      std::optional<double> seconds_left) {
  const std::array<std::int64_t, 4> steps{w.stride_w, w.stride_h, w.dilation_w, w.dilation_h};
  const auto [place, is_new] =
      known_.try_emplace({w.bounds, steps, w.input_frame, w.output_frame, input, output});
  LayerAnswer& known = place->second;
  if (is_new) known.bound = Value(Values(options_.objective.goals.size()));
  if (known.settled()) return known;
  if (at_most && *at_most <= known.bound.goals()[0] && !is_new) return known;
  SolveOptions options = options_;
  options.on_progress = nullptr;
  options.layouts[index(Tensor::input)] = input;
  options.layouts[index(Tensor::output)] = output;
  options.at_most = at_most;
  options.time_limit = seconds_left;
  known.solution = solve(a_, w, options);
  ++solves_;
  Values bound;
  if (known.solution.status == Status::infeasible) {
    if (!at_most) {
      known.bound = Value();
      return known;
    }
    bound = {*at_most};  // and more than that
  } else {
    bound = floor_of(known.solution.goals);
    if (!known.solution.mapping && at_most) bound = {std::min(bound[0], *at_most)};
  }
  bound.resize(options_.objective.goals.size());
  if (known.bound < Value(bound)) known.bound = Value(std::move(bound));
  return known;
}

}  // namespace pimbb::network
