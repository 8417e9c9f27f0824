// Answers from what is known of a slice, and new solves for the rest.
#include "dram_pim/slices/slice_solver.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "pimbb/error.hpp"

namespace pimbb::dram_pim::slices {
namespace {

/// Parts of the memory: a solve has one of them, or half of them if that is too little, or all.
constexpr std::uint64_t kMostParts = 16;
constexpr std::uint64_t kPart = std::uint64_t{1} << 26;  // bytes at least, if there are several

/// What tells two slices and questions apart.
std::pair<std::array<std::int64_t, kDims + 4>, std::string> key_of(
    const Workload& slice, const Objective& objective, const std::vector<GoalCap>& caps) {
  std::array<std::int64_t, kDims + 4> shape{};
  std::ranges::copy(slice.bounds, shape.begin());
  shape[kDims] = slice.stride_w;
  shape[kDims + 1] = slice.stride_h;
  shape[kDims + 2] = slice.dilation_w;
  shape[kDims + 3] = slice.dilation_h;
  std::string question = objective.to_string();
  const bool blends = std::ranges::count(caps, Goal::blended, &GoalCap::goal) > 0;
  if (objective.is_weighted() || blends) {
    question += ":" + objective.alpha.to_string() + ":" + objective.beta.to_string();
  }
  for (const GoalCap& cap : caps) {
    question += "," + std::string(name(cap.goal)) + "<=" + cap.most.to_string();
  }
  for (const Tensor t : {Tensor::input, Tensor::output}) {
    const bool framed =
        t == Tensor::input ? slice.input_frame.has_value() : slice.output_frame.has_value();
    if (!framed) continue;
    const Frame frame = slice.frame(t);
    question += ";" + std::to_string(frame.height) + "," + std::to_string(frame.width) + "," +
                std::to_string(frame.top) + "," + std::to_string(frame.left);
  }
  return {shape, std::move(question)};
}

}  // namespace

SliceSolver::SliceSolver(const Architecture& unit, const Question& question,
                         const RunLimits& limits)
    : unit_(unit),
      question_(question),
      limits_(limits),
      clock_(limits),
      memory_(limits.node_limit
                  ? 1
                  : std::clamp<std::uint64_t>(limits.memory_limit / kPart, 1, kMostParts)) {}

bool SliceSolver::stopped() const {
  const std::lock_guard lock(mutex_);
  return clock_.stopped() || (limits_.node_limit && spent_.nodes >= *limits_.node_limit);
}

RunLimits SliceSolver::rest() const {
  RunLimits rest = limits_;
  if (limits_.node_limit) {
    rest.node_limit = *limits_.node_limit - std::min(*limits_.node_limit, spent_.nodes);
  }
  rest.on_progress = nullptr;
  return rest;
}

SliceAnswer SliceSolver::Known::answer(const std::optional<Rational>& below) const {
  const Rational* value = best ? &best->goals.front().value : nullptr;
  if (value != nullptr && below && *value >= *below) value = nullptr;
  if (value != nullptr) return {&*best, optimal, optimal ? *value : floor.value_or(0)};
  if (infeasible || optimal || (below && floor && *floor >= *below)) {
    return {nullptr, true, below ? *below : floor.value_or(0)};
  }
  return {nullptr, false, floor.value_or(0)};
}

void SliceSolver::Known::raise(const Rational& bound) {
  floor = floor ? max(*floor, bound) : bound;
}

void SliceSolver::Known::learn(Solution solution, const std::optional<Rational>& below) {
  if (solution.status == Status::infeasible) {
    if (below) raise(*below);
    infeasible = infeasible || !below;
  } else if (!solution.goals.empty()) {
    const Rational& bound = solution.goals.front().bound;
    raise(below ? std::min(bound, *below) : bound);
  }
  if (solution.mapping) {
    optimal = solution.status == Status::optimal;
    best = std::move(solution);
  }
}

/// Each time with the time that is left when its part of the memory is there.
Solution SliceSolver::solve_one(const Workload& slice, const Question& question, RunLimits limits,
                                const mapper::ChoiceFloors& floors) {
  const std::size_t all = memory_.all();
  for (const std::size_t parts : std::set<std::size_t>{1, (all + 1) / 2, all}) {
    try {
      const run::Parts::Loan memory(memory_, parts);
      limits.memory_limit = limits_.memory_limit / all * parts;
      limits.time_limit = clock_.left();
      return mapper::solve_beyond(unit_, slice, question, limits, floors);
    } catch (const LimitError&) {
      if (parts == all) throw;
    }
  }
  throw std::logic_error("a solve was not given all of the memory");
}

SliceAnswer SliceSolver::least(const Workload& slice, const Objective& objective,
                               const std::vector<GoalCap>& caps,
                               const std::optional<Rational>& below,
                               const mapper::ChoiceFloors& floors) {
  std::unique_lock lock(mutex_);
  Known& known = known_[key_of(slice, objective, caps)];
  if (const SliceAnswer found = known.answer(below); found.settled) return found;
  Question question = question_;
  question.objective = objective;
  question.caps = caps;
  question.at_most = std::nullopt;
  question.below = below;
  const RunLimits limits = rest();
  lock.unlock();  // no other thread asks for this slice
  Solution solution = solve_one(slice, question, limits, floors);
  lock.lock();
  ++solves_;
  spent_ += solution;
  if (solution.status == Status::infeasible && !below && reason_.empty()) reason_ = solution.reason;
  known.learn(std::move(solution), below);
  return known.answer(below);
}

}  // namespace pimbb::dram_pim::slices
