// The simulator step by step: every transfer and every product with its start and end.
//
// simulate() in nest.hpp raises loops to powers; this walks through every iteration, in the order
// of the program, with the same timers and the same latency at the end.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "cim/cost/nest.hpp"

namespace pimbb::cim::cost {

enum class EventKind : std::uint8_t {
  load,    ///< a transfer inwards
  store,   ///< outputs on their way back
  product  ///< a matrix-vector product of all cores
};
inline constexpr std::array<std::string_view, 3> kEventNames{"load", "store", "product"};

struct Event {
  EventKind kind = EventKind::load;
  Tensor tensor = Tensor::input;  ///< not of a product, as the next two
  std::uint8_t outer = 0;         ///< level; loads go from it to `inner`, stores to it
  std::uint8_t inner = kMac;
  std::optional<std::size_t> loop;  ///< that the transfer belongs to; none outside all loops
  Time start = 0;
  Time end = 0;
};

/// Calls `on_event` with every event until it returns false. Returns the latency at the end,
/// nothing if it was not reached.
std::optional<Time> walk_timeline(const Nest& nest,
                                  const std::function<bool(const Event&)>& on_event);

/// The number of events.
std::int64_t count_events(const Nest& nest);

}  // namespace pimbb::cim::cost
