// Solves by key.
#include "network/layer_costs.hpp"

#include <algorithm>

namespace pimbb::network {
namespace {

void add(std::string& key, std::int64_t number) { key += std::to_string(number) + ' '; }

void add(std::string& key, const std::optional<Frame>& frame) {
  if (frame) {
    for (const std::int64_t n : {frame->height, frame->width, frame->top, frame->left}) {
      add(key, n);
    }
  }
  key += '/';
}

void add(std::string& key, const LayoutRange& range) {
  add(key, (range.sequential ? 1 : 0) + (range.row_aligned ? 2 : 0));
  if (!range.row_aligned) return;
  for (const std::int64_t n : range.least) add(key, n);
  for (const std::int64_t n : range.most) add(key, n);
}

std::string key_of(const Workload& w, const LayoutRange& input, const LayoutRange& output) {
  std::string key;
  for (const std::int64_t bound : w.bounds) add(key, bound);
  for (const std::int64_t n : {w.stride_w, w.stride_h, w.dilation_w, w.dilation_h}) add(key, n);
  add(key, w.input_frame);
  add(key, w.output_frame);
  add(key, input);
  add(key, output);
  return key;
}

}  // namespace

const LayerAnswer& LayerCosts::answer(const Workload& workload, const LayoutRange& input,
                                      const LayoutRange& output, double seconds_left) {
  std::unique_ptr<LayerAnswer>& known = known_[key_of(workload, input, output)];
  if (known) return *known;
  known = std::make_unique<LayerAnswer>();
  SolveOptions options = options_;
  options.on_progress = nullptr;
  options.layouts[index(Tensor::input)] = input;
  options.layouts[index(Tensor::output)] = output;
  if (options.time_limit) options.time_limit = std::max(0.0, seconds_left);
  known->solution = solve(a_, workload, options);
  if (known->solution.status == Status::infeasible) return *known;
  std::vector<Rational> bounds;
  for (const GoalResult& goal : known->solution.goals) bounds.push_back(goal.bound);
  bounds.resize(options.objective.goals.size());
  known->bound = Value(std::move(bounds));
  return *known;
}

}  // namespace pimbb::network
