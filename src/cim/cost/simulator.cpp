// The simulator: one timer per level and tensor, moved by every transfer and every product.
//
// A pass of the loops i .. n-1 is a function of the timers that these loops touch: a composition of
// maxima and additions of constants. Such a function commutes with adding a constant to all of its
// arguments. Two consequences save almost all steps, without any approximation:
//
//   - if one iteration other than the first advances all timers by the same amount, so do the
//     remaining ones;
//   - a pass that begins with the same differences between timers as an earlier one ends with the
//     same differences; the last few passes of every loop are remembered.
#include <algorithm>
#include <array>
#include <vector>

#include "cim/cost/nest.hpp"

namespace pimbb::cim::cost {
namespace {

constexpr std::size_t kRemembered = 4;                            // passes of each loop
constexpr std::size_t kMostTimers = (kMaxLevels + 1) * kTensors;  // the MAC array has timers, too

using Timers = std::array<Time, kMostTimers>;

class Simulator {
 public:
  explicit Simulator(const Nest& nest)
      : nest_(nest), end_(nest.loops == 0 ? 1 : nest.loops), loops_(end_) {
    if (nest.loops == 0) {
      single_loop();
    } else {
      Nest::Times times;
      nest.times(Semantics::simulator, times);
      for (std::size_t i = 0; i < end_; ++i) {
        loops_[i].factor = nest.factor[i];
        for (const Tensor t : kAllTensors) {
          const std::size_t level = nest.mapping().loops[i].level[index(t)];
          Step& step = loops_[i].step[index(t)];
          step = {timer(level, t), timer(kMac, t), times.transfer[index(t)][i],
                  times.doubled[index(t)][i]};
        }
      }
      for (const Tensor t : kAllTensors) find_next_levels(t);
    }
    find_touched();
  }

  Time latency() {
    const std::size_t dram = nest_.architecture().dram();
    for (const Tensor t : kAllTensors) boot(t, dram);
    run(0);
    if (nest_.loops > 0) boot(Tensor::output, dram);
    Time latest = 0;
    for (std::size_t m = 0; m <= dram; ++m) {
      for (const Tensor t : kAllTensors) latest = std::max(latest, time_[timer(m, t)]);
    }
    return latest;
  }

 private:
  struct Step {            ///< what one iteration of a loop does for a tensor
    std::size_t from = 0;  // timers
    std::size_t to = 0;
    Time move = 0;
    bool doubled = false;
  };
  struct Pass {  ///< timers relative to the first of them, before and after; and how far that moved
    std::vector<Time> before, after;
  };
  struct LoopState {
    std::int64_t factor = 1;
    PerTensor<Step> step;
    std::vector<std::size_t> touched;  // timers that this loop and those inside read or write
    std::array<Pass, kRemembered> passes;
    std::size_t next_pass = 0;
  };

  static std::size_t timer(std::size_t level, Tensor t) { return level * kTensors + index(t); }

  /// A nest without loops: all tensors pass once from the DRAM to the MACs.
  void single_loop() {
    const Architecture& a = nest_.architecture();
    const Units& units = nest_.units();
    const Unrolling unrolling(a, nest_.mapping().spatial);
    for (const Tensor t : kAllTensors) {
      const std::int64_t tile = nest_.elements_of()(t, unrolling.at(t, a.dram()).tile);
      const Time raw = tile * a.bits.tensor[index(t)] * units.bit[a.dram()];
      const Time move = ((raw + units.cycle - 1) / units.cycle + 1) * units.cycle;
      loops_[0].step[index(t)] = {timer(a.dram(), t), timer(kMac, t), move, false};
    }
  }

  void find_next_levels(Tensor t) {
    for (std::size_t i = end_; i-- > 1;) {
      const Step& inside = loops_[i].step[index(t)];
      Step& step = loops_[i - 1].step[index(t)];
      step.to = step.from == inside.from ? inside.to : inside.from;
    }
  }

  void find_touched() {
    std::vector<std::size_t> all;
    for (const Tensor t : kAllTensors) all.push_back(timer(kMac, t));
    for (std::size_t i = end_; i-- > 0;) {
      for (const Step& step : loops_[i].step) {
        for (const std::size_t timer : {step.from, step.to}) {
          if (std::ranges::find(all, timer) == all.end()) all.push_back(timer);
        }
      }
      loops_[i].touched = all;
    }
  }

  void boot(Tensor t, std::size_t dram) {
    if (nest_.loops == 0 || !nest_.boots(t)) return;
    const std::size_t first = loops_[0].step[index(t)].from;
    time_[timer(dram, t)] += nest_.boot[index(t)];
    time_[first] += nest_.boot[index(t)];
  }

  void run(std::size_t i) {
    if (i == end_) return product();
    LoopState& loop = loops_[i];
    std::array<Time, kMostTimers> before;  // NOLINT: only the touched ones are read
    for (std::size_t k = 0; k < loop.touched.size(); ++k) before[k] = time_[loop.touched[k]];
    if (recall(loop, before)) return;
    iterate(i, loop);
    const Step& output = loop.step[index(Tensor::output)];
    if (output.move > 0 && output.doubled) write_behind(output);
    remember(loop, before);
  }

  void iterate(std::size_t i, const LoopState& loop) {
    std::array<Time, kMostTimers> begin;  // NOLINT: only the touched ones are read
    for (std::int64_t k = 0; k < loop.factor; ++k) {
      for (std::size_t j = 0; j < loop.touched.size(); ++j) begin[j] = time_[loop.touched[j]];
      iteration(i, loop, k > 0);
      const Time advance = time_[loop.touched[0]] - begin[0];
      if (k == 0 || !steady(loop, begin, advance)) continue;
      for (const std::size_t timer : loop.touched) time_[timer] += advance * (loop.factor - 1 - k);
      return;
    }
  }

  [[nodiscard]] bool steady(const LoopState& loop, const Timers& begin, Time advance) const {
    for (std::size_t j = 1; j < loop.touched.size(); ++j) {
      if (time_[loop.touched[j]] - begin[j] != advance) return false;
    }
    return true;
  }

  void iteration(std::size_t i, const LoopState& loop, bool again) {
    for (const Step& step : loop.step) {
      Time& from = time_[step.from];
      Time& to = time_[step.to];
      if (step.doubled) {
        from += step.move;
        to = std::max(to, from);
      } else {
        from = std::max(from, to) + step.move;
        to = from;
      }
    }
    const Step& output = loop.step[index(Tensor::output)];
    if (again && output.move > 0 && output.doubled) write_behind(output);
    run(i + 1);
    if (!output.doubled) {
      time_[output.to] = std::max(time_[output.from], time_[output.to]) + output.move;
      time_[output.from] = time_[output.to];
    }
  }

  /// The tile of outputs before goes back while the next one is in use.
  void write_behind(const Step& output) {
    time_[output.from] = std::max(time_[output.from], time_[output.to]) + output.move;
  }

  void product() {
    Time end = 0;
    for (const Tensor t : kAllTensors) end = std::max(end, time_[timer(kMac, t)]);
    end += nest_.units().product;
    for (const Tensor t : kAllTensors) {
      time_[timer(kMac, t)] = end;
      const Step& innermost = loops_[end_ - 1].step[index(t)];
      // The next level of the innermost loop is the MAC array, so its tile is never doubled there;
      // whether the used level itself is, the flag of the mapping says.
      const std::size_t level = innermost.from / kTensors;
      const bool doubled = nest_.loops > 0 && nest_.mapping().doubled[level][index(t)];
      if (!doubled) time_[innermost.from] = end;
    }
  }

  bool recall(const LoopState& loop, const Timers& before) {
    const std::size_t count = loop.touched.size();
    for (const Pass& pass : loop.passes) {
      if (pass.before.empty()) continue;
      bool same = true;
      for (std::size_t k = 1; k < count && same; ++k) {
        same = before[k] - before[0] == pass.before[k];
      }
      if (!same) continue;
      for (std::size_t k = 0; k < count; ++k) time_[loop.touched[k]] = before[0] + pass.after[k];
      return true;
    }
    return false;
  }

  void remember(LoopState& loop, const Timers& before) {
    const std::size_t count = loop.touched.size();
    Pass& pass = loop.passes[loop.next_pass++ % kRemembered];
    pass.before.resize(count);
    pass.after.resize(count);
    for (std::size_t k = 0; k < count; ++k) {
      pass.before[k] = before[k] - before[0];
      pass.after[k] = time_[loop.touched[k]] - before[0];
    }
  }

  const Nest& nest_;
  std::size_t end_;
  std::vector<LoopState> loops_;
  Timers time_{};
};

}  // namespace

Time simulate(const Nest& nest) { return Simulator(nest).latency(); }

}  // namespace pimbb::cim::cost
