// Lists of equal events, level by level; the place of one of them.
#include "dram_pim/device/link_stream.hpp"

#include <algorithm>
#include <limits>

#include "exact/int128.hpp"

namespace pimbb::dram_pim::device {
namespace {

/// The lists of events of a mapping.
class Events {
 public:
  Events(const Device& device, const Workload& layer, const Moves& moves,
         const DeviceMapping& mapping, const DeviceMetrics& metrics,
         const std::vector<Factors>& covered)
      : device_(device),
        layer_(layer),
        moves_(moves),
        split_(mapping.split),
        metrics_(metrics),
        covered_(covered) {
    const bool in_turn = device.phases == Phases::sequential;
    in_ = device.launch;
    run_ = in_turn ? in_ + metrics.split.in : in_;
    out_ = in_turn ? run_ + metrics.run : in_;
  }

  std::vector<LinkEvents> list(const TensorFlags& tensors) && {
    if (device_.launch.sign() > 0) {
      events_.push_back({.event = LinkEvent::launch, .phase = LinkPhase::launch, .end = in_});
    }
    inputs(tensors);
    events_.push_back({.event = LinkEvent::run,
                       .phase = LinkPhase::run,
                       .children = metrics_.split.units,
                       .start = run_,
                       .end = run_ + metrics_.run,
                       .busy = metrics_.run,
                       .energy = metrics_.split.units * metrics_.slice.energy});
    if (moves_[index(Tensor::output)] && tensors[index(Tensor::output)]) results();
    return std::move(events_);
  }

 private:
  /// Cycles in which all bytes of a direction pass the slowest link.
  [[nodiscard]] Rational slowest(LinkEvent direction) const {
    Rational longest;
    for (std::size_t d = 0; d < split_.size(); ++d) {
      const LinkTraffic& link = metrics_.split.links[d];
      const Rational& bytes = direction == LinkEvent::down ? link.bytes_in : link.bytes_out;
      longest = max(longest, busy(d, direction, bytes));
    }
    return longest;
  }

  [[nodiscard]] Rational busy(std::size_t d, LinkEvent direction, const Rational& bytes) const {
    const DeviceLevel& level = device_.levels[d];
    const auto& bandwidth =
        direction == LinkEvent::down ? level.write_bandwidth : level.read_bandwidth;
    return bandwidth ? bytes / *bandwidth : Rational();
  }

  /// What follows from level and tensor. The bytes are those of one copy of the block.
  [[nodiscard]] LinkEvents block(std::size_t d, Tensor t, LinkEvent event) const {
    return {.event = event,
            .phase = event == LinkEvent::down ? LinkPhase::in : LinkPhase::out,
            .level = d,
            .tensor = t,
            .children = 1,
            .bytes = layer_.tile_elements(t, covered_[d]) * device_.unit.moved_bytes(t),
            .links = metrics_.split.links[d].count,
            .parts = split_[d],
            .size = covered_[d]};
  }

  void add_block(LinkEvents events, const Rational& begin, const Rational& longest) {
    const DeviceLevel& level = device_.levels[*events.level];
    events.start = begin;
    events.end = begin + longest + level.latency;
    events.busy = busy(*events.level, events.event, events.bytes);
    events.energy = events.bytes * level.energy;
    events_.push_back(std::move(events));
  }

  void inputs(const TensorFlags& tensors) {
    const Rational longest = slowest(LinkEvent::down);
    Rational begin = in_;
    for (std::size_t d = split_.size(); d-- > 0;) {
      for (const Tensor t : {Tensor::input, Tensor::weight}) {
        if (!moves_[index(t)] || !tensors[index(t)]) continue;
        LinkEvents events = block(d, t, LinkEvent::down);
        if (device_.levels[d].broadcast) {
          for (const Dim j : kAllDims) {
            if (relevant(t, j)) continue;
            events.children *= events.parts[index(j)];
            events.parts[index(j)] = 1;
          }
        }
        add_block(std::move(events), begin, longest);
      }
      begin += device_.levels[d].latency;
    }
  }

  void results() {
    const Rational longest = slowest(LinkEvent::up);
    Rational begin = out_;
    std::int64_t sums = 1;
    for (std::size_t d = 0; d < split_.size(); ++d) {
      LinkEvents events = block(d, Tensor::output, LinkEvent::up);
      events.sums = sums;
      events.bytes *= sums;
      add_block(std::move(events), begin, longest);
      for (const Dim j : kAllDims) {
        if (is_reduction(j)) sums *= split_[d][index(j)];
      }
      if (device_.levels[d].reduce) {
        if (sums > 1) parents_add(d, sums, begin + longest + device_.levels[d].latency);
        sums = 1;
      }
      begin += device_.levels[d].latency;
    }
    if (sums > 1) host_adds(sums, begin + longest);
  }

  /// The additions of `sums` partial sums of each output that covers `size`, in the list.
  [[nodiscard]] LinkEvents additions(std::int64_t sums, const Factors& size) const {
    return {.event = LinkEvent::add,
            .phase = LinkPhase::out,
            .tensor = Tensor::output,
            .additions = Rational(sums - 1) * layer_.tile_elements(Tensor::output, size),
            .size = size};
  }

  /// While the partial sums arrive, from `begin` of the level on; it takes no time of its own.
  void parents_add(std::size_t d, std::int64_t sums, const Rational& end) {
    LinkEvents events = additions(sums, covered_[d + 1]);
    events.level = d;
    events.links = metrics_.split.links[d].count;
    events.start = events_.back().start;
    events.end = end;
    events.energy = events.additions * device_.levels[d].reduce_energy;
    events_.push_back(std::move(events));
  }

  /// When all have arrived.
  void host_adds(std::int64_t sums, const Rational& begin) {
    LinkEvents events = additions(sums, covered_.back());
    if (device_.host_reduce_bandwidth) {
      events.busy = events.additions / *device_.host_reduce_bandwidth;
    }
    events.start = begin;
    events.end = begin + events.busy;
    events.energy = events.additions * device_.host_reduce_energy;
    events_.push_back(std::move(events));
  }

  const Device& device_;
  const Workload& layer_;
  const Moves& moves_;
  const Split& split_;
  const DeviceMetrics& metrics_;
  const std::vector<Factors>& covered_;
  Rational in_, run_, out_;  // cycles at which the phases begin
  std::vector<LinkEvents> events_;
};

/// The position of number `k` in a grid.
Factors position(std::int64_t k, const Factors& parts) {
  Factors at{};
  for (std::size_t j = kDims; j-- > 0;) {
    at[j] = k % parts[j];
    k /= parts[j];
  }
  return at;
}

std::int64_t number(const Factors& at, const Factors& parts) {
  std::int64_t k = 0;
  for (std::size_t j = 0; j < kDims; ++j) k = k * parts[j] + at[j];
  return k;
}

}  // namespace

LinkStream::LinkStream(const Device& device, const Workload& layer, const Moves& moves,
                       const DeviceMapping& mapping, const DeviceMetrics& metrics,
                       const TensorFlags& tensors)
    : split_(mapping.split), covered_{mapping.slice} {
  for (const Factors& factors : split_) covered_.push_back(times(covered_.back(), factors));
  events_ = Events(device, layer, moves, mapping, metrics, covered_).list(tensors);
}

std::int64_t LinkStream::total() const {
  constexpr Int128 kMost = std::numeric_limits<std::int64_t>::max();
  Int128 total = 0;
  for (const LinkEvents& events : events_) total += events.count();
  return static_cast<std::int64_t>(std::min(total, kMost));
}

LinkPlace LinkStream::place(const LinkEvents& events, std::int64_t k) const {
  if (!events.level) return {};
  const std::size_t d = *events.level;
  const std::int64_t blocks = product(events.parts);
  LinkPlace place{.link = k / blocks};
  const auto enter = [&](const Factors& at, std::size_t level) {
    for (std::size_t j = 0; j < kDims; ++j) place.first[j] += at[j] * covered_[level][j];
  };
  std::int64_t parent = place.link;
  for (std::size_t e = d + 1; e < split_.size(); ++e) {
    enter(position(parent % product(split_[e]), split_[e]), e);
    parent /= product(split_[e]);
  }
  if (events.event == LinkEvent::add) return place;
  const Factors at = position(k % blocks, events.parts);
  place.child = number(at, split_[d]);
  enter(at, d);
  return place;
}

}  // namespace pimbb::dram_pim::device
