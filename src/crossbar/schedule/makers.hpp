// Low latency without instructions: who makes the pixels of a node, and the tasks of every unit.
//
// The array groups of a replica in a core are a maker, and so is a core that computes pixels of a
// vector node. A task is about a window of a maker; all units come to its windows in one order.
#pragma once

#include <array>
#include <vector>

#include "crossbar/schedule/deliveries.hpp"
#include "crossbar/schedule/group_progress.hpp"
#include "crossbar/schedule/transfers.hpp"

namespace pimbb::crossbar::schedule {

struct Maker {
  std::size_t node = 0;
  Index core = 0;
  Index first = 0;            ///< of its array groups, which follow each other
  Index groups = 0;           ///< none: a vector node
  Index home = 0;             ///< maker with the replica's group 0
  std::vector<Index> others;  ///< at home: the replica's other makers, by core
  Index loads = 0;  ///< LDs of a window, of each array group: network inputs that it reads
  std::int64_t first_load = 0;  ///< ns, for the first window
  std::int64_t later_load = 0;
  std::int64_t pass = 0;  ///< ns of a VVADD, ACT or VEC
  bool at_home = true;
  Delivery delivery = Delivery::stays;
  Work transfer;  ///< the SEND of the sum; at home SEND or ST of the pixel

  // while it runs
  Index computed = 0;        ///< windows that have been multiplied; of a vector node, computed
  Index summed = 0;          ///< whose sum within the core is complete
  std::int64_t sum_end = 0;  ///< of the last one
  Index passed_on = 0;       ///< whose sum was sent, or whose pixel delivered
  std::int64_t passed_on_end = 0;
  Ends loaded;    ///< LDs of a vector node
  Ends results;   ///< pixels that are to be delivered
  Ends messages;  ///< away from home: sums sent
};

enum class Job : std::uint8_t {
  multiply,  ///< mvm: RECVs and MVMs
  own_sum,   ///< vec: the local VVADDs
  all_sums,  ///< vec, at home: VVADDs of messages, and ACT
  compute,   ///< vec: RECVs and VEC of a vector node
  load,      ///< dma: the LDs
  pass_on    ///< dma: the SEND of the sum; at home, SEND or ST of the pixel
};

struct Task {
  Index maker = 0;
  Index window = 0;
  Job job = Job::multiply;
};

using UnitTasks = std::array<std::vector<Task>, 3>;  ///< by Unit

struct Makers {
  std::vector<Maker> all;
  std::size_t groups = 0;
  std::vector<UnitTasks> tasks;  ///< by core
  std::vector<bool> read;        ///< by node: somebody reads its pixels
};

Makers makers(const Architecture& architecture, const Partition& partition, const Mapping& mapping,
              const run::Guard& guard);

}  // namespace pimbb::crossbar::schedule
