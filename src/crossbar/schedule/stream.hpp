// The instructions of all cores, in an order in which they could run one after another; those of a
// core are in its program order.
//
//     unit   instructions        the next one starts
//     mvm    MVM                 `interval` after the start of the one before
//     vec    VVADD, ACT, VEC     at its end
//     dma    LD, ST, SEND        at its end
//
// RECV takes no time and belongs to the unit of what follows it. Every unit runs its instructions
// in order. An instruction waits for the ends of those in `after`. MVM, and RECV of a partial sum,
// make a block of output that `reader` is the last to read; the next MVM of the same array group
// starts so late that it ends no earlier than that.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "crossbar/partition/placement.hpp"
#include "pimbb/crossbar/schedule.hpp"
#include "run/guard.hpp"

namespace pimbb::crossbar::schedule {

enum class Opcode : std::uint8_t { mvm, vvadd, act, vec, ld, st, send, recv, pixel };
inline constexpr std::array<std::string_view, 8> kOpcodeNames{"MVM", "VVADD", "ACT",  "VEC",
                                                              "LD",  "ST",    "SEND", "RECV"};
enum class Unit : std::uint8_t { mvm, vec, dma, none };
inline constexpr std::array<std::string_view, 3> kUnitNames{"mvm", "vec", "dma"};

using Index = std::int32_t;  ///< of an instruction; also numbers of cores, nodes, windows, groups
inline constexpr Index kNone = -1;

/// What an instruction moves or reads, and how long that takes.
struct Work {
  std::int64_t bytes = 0;
  std::int64_t time = 0;  ///< ns of its unit, memory or bus; of a RECV: none
  std::int64_t link = 0;  ///< ns of the link, if it goes to another chip
};

struct Instruction {
  Opcode op = Opcode::mvm;
  Unit unit = Unit::mvm;
  Index core = kNone;
  Index node = kNone;    ///< of a RECV of pixels: the one whose pixels are received
  Index window = kNone;  ///< of the node that computes; a vector node's first pixel
  Index ag = kNone;      ///< identity of the array group
  Index peer = kNone;    ///< the other core of a partial sum
  Index upto = kNone;    ///< RECV of pixels: the last one
  Index work = 0;        ///< in Stream::works
  std::array<Index, 2> after{kNone, kNone};
  Index until = kNone;   ///< MVM: it starts so late that it ends no earlier than this one
  Index reader = kNone;  ///< last reader of the block that it makes
};

/// `pixel` entries are no instructions: pixel `window` of `node` and all before it are available.
/// They wait for each other and for the instruction that makes the pixel available.
struct Stream {
  std::vector<Instruction> instructions;
  std::vector<Work> works;
};

Stream throughput_stream(const Architecture& architecture, const Partition& partition,
                         const Mapping& mapping, Policy policy, const run::Guard& guard);

Stream latency_stream(const Architecture& architecture, const Partition& partition,
                      const Mapping& mapping, Policy policy, const run::Guard& guard);

/// The one of these that the options name.
Stream make_stream(const Architecture& architecture, const Partition& partition,
                   const Mapping& mapping, const ScheduleOptions& options, const run::Guard& guard);

}  // namespace pimbb::crossbar::schedule
