// What happens on a device while it works on one layer, event by event: its launch, the blocks that
// go down every link, the work of the units, the results that come up, and the additions of partial
// sums. The cost of a mapping (pimbb/dram_pim/device_cost.hpp) sums these events up in closed form.
//
// The links of a device are a pipeline: what comes over one link goes on over the next one while
// the rest is still to come. All blocks of a phase move side by side over a link, in pieces, from
// the first to the last: each block takes the whole phase at its level, from `start` to `end`, and
// keeps the link `busy` for the cycles that its bytes need. The slowest link is busy all the time;
// the latency of a level delays its pieces. Every child has at any time the same share of all that
// it will get, so no piece goes on before it has arrived.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "pimbb/dram_pim/device_cost.hpp"

namespace pimbb::dram_pim::device {

enum class LinkPhase : std::uint8_t { launch, in, run, out };
inline constexpr std::array<std::string_view, 4> kLinkPhaseNames{"launch", "in", "run", "out"};

enum class LinkEvent : std::uint8_t { launch, down, run, up, add };
inline constexpr std::array<std::string_view, 5> kLinkEventNames{"launch", "down", "run", "up",
                                                                 "add"};

/// Events that differ in nothing but the link and the block.
struct LinkEvents {
  LinkEvent event = LinkEvent::launch;
  LinkPhase phase = LinkPhase::launch;
  std::optional<std::size_t> level = {};  ///< of the link, or of those whose parents add;
                                          ///< absent: the units, or the host
  std::optional<Tensor> tensor = {};      ///< that moves or is added up
  std::int64_t children = 0;  ///< that get the block or send it; run: the units that run
  std::int64_t sums = 0;      ///< up: partial sums of each output
  Rational additions = {};    ///< add
  Rational bytes = {};
  Rational start = {}, end = {}, busy = {};  ///< cycles
  Rational energy = {};                      ///< nJ
  std::int64_t links = 1;                    ///< that do the same
  Factors parts = kOnes;                     ///< blocks over one link, in each dimension
  Factors size = kOnes;                      ///< loop bounds of a block

  [[nodiscard]] std::int64_t count() const { return links * product(parts); }
};

/// Where one of these events happens.
struct LinkPlace {
  std::int64_t link = 0;   ///< among those of its level, by its parent
  std::int64_t child = 0;  ///< of this parent; the first of those that get the block
  Factors first{};         ///< where the block begins in every loop of the layer
};

class LinkStream {
 public:
  /// `mapping` is feasible, and `metrics` are those of evaluate(). Blocks of tensors that are not
  /// in `tensors` are left out.
  LinkStream(const Device& device, const Workload& layer, const Moves& moves,
             const DeviceMapping& mapping, const DeviceMetrics& metrics,
             const TensorFlags& tensors = {true, true, true});

  /// In the order of the phases, and of the way of the blocks.
  [[nodiscard]] const std::vector<LinkEvents>& events() const { return events_; }
  /// The number of events, or the largest number if there are more.
  [[nodiscard]] std::int64_t total() const;
  /// The place of event k, 0 <= k < events.count(): link after link, block after block. Links and
  /// children are numbered by the factors of their levels, the outermost level first, the
  /// dimensions in the order R S P Q C K N G, the last fastest.
  [[nodiscard]] LinkPlace place(const LinkEvents& events, std::int64_t k) const;

 private:
  Split split_;
  std::vector<Factors> covered_;  ///< by a child of each level
  std::vector<LinkEvents> events_;
};

}  // namespace pimbb::dram_pim::device
