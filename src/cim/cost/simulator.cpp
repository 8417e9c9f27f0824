// The simulator: one timer per level and tensor, moved by every transfer and every product.
//
// Its steps add constants to timers and take maxima of them, so one iteration of a loop is a matrix
// over (max, +) (max_plus.hpp), and the loop is a power of it. That is exact, and takes time that
// grows with the logarithm of the number of iterations, also where timers advance at different
// rates and no two iterations are alike.
#include <algorithm>
#include <array>
#include <vector>

#include "cim/cost/max_plus.hpp"
#include "cim/cost/nest.hpp"

namespace pimbb::cim::cost {
namespace {

struct Step {            ///< what one iteration of a loop does for a tensor
  std::size_t from = 0;  // timers
  std::size_t to = 0;
  Time move = 0;
  bool doubled = false;
};
using Steps = PerTensor<Step>;

class Simulator {
 public:
  explicit Simulator(const Nest& nest) : nest_(nest), steps_(std::max<std::size_t>(1, nest.loops)) {
    index_.fill(kNoTimer);
    for (const Tensor t : kAllTensors) timer(kMac, t);
    if (nest.loops == 0) {
      single_loop();
    } else {
      read_loops();
    }
  }

  Time latency() {
    MaxPlus pass = product();
    for (std::size_t i = steps_.size(); i-- > 0;) pass = loop(i, pass);
    std::vector<Time> begin(count_, 0);
    for (const Tensor t : kAllTensors) boot(t, begin);
    std::vector<Time> end(count_, MaxPlus::kNone);
    for (std::size_t i = 0; i < count_; ++i) {
      for (std::size_t j = 0; j < count_; ++j) {
        if (pass.at(i, j) != MaxPlus::kNone) end[i] = std::max(end[i], pass.at(i, j) + begin[j]);
      }
    }
    boot(Tensor::output, end);
    Time latest = *std::max_element(end.begin() + kTensors, end.end());
    for (const Tensor t : kAllTensors) {  // of a DRAM that no loop touches
      latest = std::max(latest, nest_.loops > 0 ? ways(t) * nest_.boot[index(t)] : 0);
    }
    return latest;
  }

 private:
  static constexpr std::size_t kNoTimer = ~std::size_t{0};

  /// Timers are numbered in the order in which loops touch them, the innermost loop first; those of
  /// the MAC array are the first three.
  std::size_t timer(std::size_t level, Tensor t) {
    std::size_t& index_of = index_[level * kTensors + index(t)];
    if (index_of == kNoTimer) index_of = count_++;
    return index_of;
  }

  /// A nest without loops: all tensors pass once from the DRAM to the MACs.
  void single_loop() {
    const Architecture& a = nest_.architecture();
    const Units& units = nest_.units();
    for (const Tensor t : kAllTensors) {
      const std::int64_t tile = nest_.elements_of()(t, nest_.unrolling().at(t, a.dram()).tile);
      const Time raw = tile * a.bits.tensor[index(t)] * units.bit[a.dram()];
      const Time move = ((raw + units.cycle - 1) / units.cycle + 1) * units.cycle;
      steps_[0][index(t)] = {timer(a.dram(), t), timer(kMac, t), move, false};
    }
    touched_.push_back(count_);
  }

  void read_loops() {
    Nest::Times times;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled by the next call
    nest_.times(Semantics::simulator, times);
    const std::vector<Loop>& loops = nest_.mapping().loops;
    touched_.resize(loops.size());
    for (std::size_t i = loops.size(); i-- > 0;) {
      for (const Tensor t : kAllTensors) {
        Step& step = steps_[i][index(t)];
        step.from = timer(loops[i].level[index(t)], t);
        step.move = times.transfer[index(t)][i];
        step.doubled = times.doubled[index(t)][i];
        if (i + 1 == loops.size()) {
          step.to = timer(kMac, t);
        } else {
          const Step& inside = steps_[i + 1][index(t)];
          step.to = step.from == inside.from ? inside.to : inside.from;
        }
      }
      touched_[i] = count_;
    }
  }

  void boot(Tensor t, std::vector<Time>& time) const {
    if (nest_.loops == 0 || !nest_.boots(t)) return;
    time[steps_[0][index(t)].from] += nest_.boot[index(t)];
  }

  /// All loops done: a matrix-vector product.
  [[nodiscard]] MaxPlus product() const {
    MaxPlus x(touched_.back());
    const Steps& innermost = steps_.back();
    const std::size_t first = index_[kMac * kTensors];
    for (std::size_t t = 1; t < kTensors; ++t) x.raise(first, index_[kMac * kTensors + t]);
    x.add(first, nest_.units().product);
    for (const Tensor t : kAllTensors) {
      x.copy(index_[kMac * kTensors + index(t)], first);
      const bool doubled =
          nest_.loops > 0 &&
          nest_.mapping().doubled[nest_.mapping().loops.back().level[index(t)]][index(t)];
      if (!doubled) x.copy(innermost[index(t)].from, first);
    }
    return x;
  }

  /// All iterations of loop i around `inside`.
  [[nodiscard]] MaxPlus loop(std::size_t i, const MaxPlus& inside) const {
    const Step& output = steps_[i][index(Tensor::output)];
    const std::int64_t factor = nest_.loops == 0 ? 1 : nest_.factor[i];
    const bool behind = output.doubled && output.move > 0;
    const MaxPlus first = iteration(i, inside, false);
    if (!behind) return first.power(factor);
    MaxPlus pass = first;
    pass.then(iteration(i, inside, true).power(factor - 1));
    write_behind(pass, output);
    return pass;
  }

  [[nodiscard]] MaxPlus iteration(std::size_t i, const MaxPlus& inside, bool again) const {
    MaxPlus x(touched_[i]);
    for (const Step& step : steps_[i]) {
      if (!step.doubled) x.raise(step.from, step.to);
      x.add(step.from, step.move);
      if (step.doubled) {
        x.raise(step.to, step.from);
      } else {
        x.copy(step.to, step.from);
      }
    }
    const Step& output = steps_[i][index(Tensor::output)];
    if (again) write_behind(x, output);
    x.then(inside);
    if (!output.doubled) {
      x.raise(output.to, output.from);
      x.add(output.to, output.move);
      x.copy(output.from, output.to);
    }
    return x;
  }

  /// The tile of outputs before goes back while the next one is in use.
  static void write_behind(MaxPlus& x, const Step& output) {
    x.raise(output.from, output.to);
    x.add(output.from, output.move);
  }

  const Nest& nest_;
  std::vector<Steps> steps_;          // of each loop
  std::vector<std::size_t> touched_;  // number of timers that a loop and those inside touch
  std::array<std::size_t, (kMaxLevels + 1) * kTensors> index_{};
  std::size_t count_ = 0;
};

}  // namespace

Time simulate(const Nest& nest) { return Simulator(nest).latency(); }

}  // namespace pimbb::cim::cost
