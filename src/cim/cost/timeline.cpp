// Timers, one for each level and tensor.
#include "cim/cost/timeline.hpp"

#include <algorithm>
#include <vector>

namespace pimbb::cim::cost {
namespace {

class Walk {
 public:
  Walk(const Nest& nest, const std::function<bool(const Event&)>& on_event)
      : nest_(nest), on_event_(on_event), steps_(std::max<std::size_t>(1, nest.loops)) {
    if (nest.loops == 0) {
      read_single_loop();
    } else {
      read_loops();
    }
  }

  std::optional<Time> run() {
    for (const Tensor t : kAllTensors) {
      if (boots(t) && !boot(t, EventKind::load)) return std::nullopt;
    }
    if (!loop(0)) return std::nullopt;
    if (boots(Tensor::output) && !boot(Tensor::output, EventKind::store)) return std::nullopt;
    Time latest = 0;
    for (std::size_t m = 0; m < kMac; ++m) {
      latest = std::max(latest, *std::max_element(time_[m].begin(), time_[m].end()));
    }
    return latest;
  }

 private:
  struct Step {
    std::uint8_t from = 0;
    std::uint8_t to = kMac;
    Time move = 0;
    bool doubled = false;
  };

  void read_single_loop() {
    const Architecture& a = nest_.architecture();
    const Units& units = nest_.units();
    const auto dram = static_cast<std::uint8_t>(a.dram());
    for (const Tensor t : kAllTensors) {
      const std::int64_t tile = nest_.elements_of()(t, nest_.unrolling().at(t, dram).tile);
      const Time raw = tile * a.bits.tensor[index(t)] * units.bit[dram];
      const Time move = ((raw + units.cycle - 1) / units.cycle + 1) * units.cycle;
      steps_[0][index(t)] = {dram, kMac, move, false};
      innermost_[index(t)] = dram;
    }
  }

  void read_loops() {
    Nest::Times times;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled by the next call
    nest_.times(Semantics::simulator, times);
    const std::vector<Loop>& loops = nest_.mapping().loops;
    for (const Tensor t : kAllTensors) {
      for (std::size_t i = loops.size(); i-- > 0;) {
        Step& step = steps_[i][index(t)];
        step.from = loops[i].level[index(t)];
        step.move = times.transfer[index(t)][i];
        step.doubled = times.doubled[index(t)][i];
        if (i + 1 == loops.size()) continue;
        const Step& inside = steps_[i + 1][index(t)];
        step.to = step.from == inside.from ? inside.to : inside.from;
      }
      innermost_[index(t)] = loops.back().level[index(t)];
      waits_[index(t)] = !nest_.mapping().doubled[innermost_[index(t)]][index(t)];
    }
  }

  [[nodiscard]] bool boots(Tensor t) const { return nest_.loops > 0 && nest_.boots(t); }

  /// The way between a DRAM that no loop belongs to and the outermost loop's level.
  bool boot(Tensor t, EventKind kind) {
    const auto dram = static_cast<std::uint8_t>(nest_.architecture().dram());
    const std::uint8_t level = steps_[0][index(t)].from;
    Time& timer = time_[level][index(t)];
    const Time start = timer;
    timer += nest_.boot[index(t)];
    time_[dram][index(t)] += nest_.boot[index(t)];
    return on_event_({kind, t, dram, level, std::nullopt, start, timer});
  }

  bool transfer(std::size_t i, Tensor t, EventKind kind, Time start) {
    const Step& step = steps_[i][index(t)];
    if (step.move == 0) return true;
    const std::optional<std::size_t> place =
        nest_.loops > 0 ? std::optional<std::size_t>(i) : std::nullopt;
    return on_event_({kind, t, step.from, step.to, place, start, start + step.move});
  }

  bool load(std::size_t i, Tensor t) {
    const Step& step = steps_[i][index(t)];
    Time& from = time_[step.from][index(t)];
    Time& to = time_[step.to][index(t)];
    const Time start = step.doubled ? from : std::max(from, to);
    from = start + step.move;
    to = step.doubled ? std::max(to, from) : from;
    return transfer(i, t, EventKind::load, start);
  }

  /// Double-buffered outputs go back while the next tile is in use.
  bool store_behind(std::size_t i) {
    const Step& step = steps_[i][index(Tensor::output)];
    if (!step.doubled || step.move == 0) return true;
    Time& from = time_[step.from][index(Tensor::output)];
    const Time start = std::max(from, time_[step.to][index(Tensor::output)]);
    from = start + step.move;
    return transfer(i, Tensor::output, EventKind::store, start);
  }

  bool store_at_once(std::size_t i) {
    const Step& step = steps_[i][index(Tensor::output)];
    if (step.doubled) return true;
    Time& from = time_[step.from][index(Tensor::output)];
    Time& to = time_[step.to][index(Tensor::output)];
    const Time start = std::max(from, to);
    from = to = start + step.move;
    return transfer(i, Tensor::output, EventKind::store, start);
  }

  bool product() {
    const Time start = *std::max_element(time_[kMac].begin(), time_[kMac].end());
    const Time end = start + nest_.units().product;
    time_[kMac].fill(end);
    for (const Tensor t : kAllTensors) {
      if (waits_[index(t)]) time_[innermost_[index(t)]][index(t)] = end;
    }
    return on_event_({EventKind::product, Tensor::input, 0, kMac, std::nullopt, start, end});
  }

  bool loop(std::size_t i) {
    if (i == steps_.size()) return product();
    const std::int64_t factor = nest_.loops == 0 ? 1 : nest_.factor[i];
    for (std::int64_t k = 0; k < factor; ++k) {
      for (const Tensor t : kAllTensors) {
        if (!load(i, t)) return false;
      }
      if (k > 0 && !store_behind(i)) return false;
      if (!loop(i + 1) || !store_at_once(i)) return false;
    }
    return store_behind(i);
  }

  const Nest& nest_;
  const std::function<bool(const Event&)>& on_event_;
  std::vector<PerTensor<Step>> steps_;
  std::array<PerTensor<Time>, kMaxLevels + 1> time_{};
  PerTensor<std::uint8_t> innermost_{};
  std::array<bool, kTensors> waits_{true, true, true};  // the level is free after the product only
};

}  // namespace

std::optional<Time> walk_timeline(const Nest& nest,
                                  const std::function<bool(const Event&)>& on_event) {
  return Walk(nest, on_event).run();
}

std::int64_t count_events(const Nest& nest) {
  std::int64_t count = nest.products;
  if (nest.loops == 0) return count + 4;  // in, in, in, out
  for (std::size_t k = 0; k < nest.first[kTensors]; ++k) {
    const Block& block = nest.blocks[k];
    if (block.moves) count += ways(block.tensor) * block.fires;
  }
  for (const Tensor t : kAllTensors) {
    if (nest.boots(t)) count += ways(t);
  }
  return count;
}

}  // namespace pimbb::cim::cost
