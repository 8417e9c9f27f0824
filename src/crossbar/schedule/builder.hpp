// What the builders of both streams share: appending instructions, and the work of each kind.
#pragma once

#include <map>
#include <tuple>

#include "crossbar/schedule/stream.hpp"

namespace pimbb::crossbar::schedule {

/// The array groups of a replica that a core holds, while the stream is built.
struct RunningPart {
  std::size_t array = 0;
  partition::Part part;
  Index first = 0;        ///< identity of its first array group
  Index slot = 0;         ///< of its first array group, in tables of all array groups
  Index result = 0;       ///< work of MVM and RECV,
  Index pass = 0;         ///< of VVADD and ACT,
  Index transfer = 0;     ///< and of the SEND of the sum
  Index sum = kNone;      ///< the instruction that last added to the first group's result
  Index message = kNone;  ///< the SEND of the sum
};

/// The last instructions of an array group.
struct GroupState {
  Index mvm = kNone;     ///< the last MVM
  Index before = kNone;  ///< the one before it
  Index load = kNone;    ///< of the next window
  Index reader = kNone;  ///< of a part's first group: the last reader of its last result
};

class StreamBuilder {
 public:
  StreamBuilder(const Architecture& architecture, const Partition& partition, Policy policy,
                const run::Guard& guard)
      : a_(architecture), p_(partition), reuse_(policy == Policy::ag), guard_(guard) {}

  /// Parts of all arrays: by array, replica and core, with slots in this order.
  std::vector<std::vector<RunningPart>> parts(const std::vector<partition::Placement>& placements);

  Index add(const Instruction& instruction);
  Instruction& operator[](Index i) { return stream_.instructions[static_cast<std::size_t>(i)]; }
  [[nodiscard]] Index next() const { return static_cast<Index>(stream_.instructions.size()); }

  /// Index of an access to the global memory, of a SEND, and of passes of the vector unit.
  Index memory_work(std::int64_t elements);
  Index bus_work(std::int64_t elements, bool far);
  Index vector_work(std::int64_t elements, std::int64_t passes);
  /// Of MVM and RECV.
  Index no_work(std::int64_t elements);

  /// An MVM of group `g` of the part. It waits for the group's LD, if there is one.
  void multiply(const RunningPart& at, Index g, Index window, GroupState& group);
  /// Adds up the results of the part, of which `groups` is the first; a part away from home sends
  /// the sum there.
  void reduce(RunningPart& at, Index window, GroupState* groups);
  /// At home: adds the sum of another part.
  void receive(RunningPart& home, RunningPart& other, Index window);
  /// That `reader` is the last to read the sum of the part, whose first group is `group`.
  void read_by(GroupState& group, Index reader);
  /// ACT of the home's sum.
  Index activate(RunningPart& home, Index window);
  /// ST of it.
  Index store(const RunningPart& home, Index window, Index result);
  [[nodiscard]] bool far(std::int64_t from, std::int64_t to) const {
    return from / a_.cores != to / a_.cores;
  }
  [[nodiscard]] Stream take() && { return std::move(stream_); }

 private:
  Index work(int kind, std::int64_t elements, std::int64_t passes);
  [[nodiscard]] Instruction basic(Opcode op, Unit unit, const RunningPart& at, Index window) const;

  const Architecture& a_;
  const Partition& p_;
  bool reuse_;  // array groups take turns at three blocks
  const run::Guard& guard_;
  Stream stream_;
  std::map<std::tuple<int, std::int64_t, std::int64_t>, Index> works_;
};

}  // namespace pimbb::crossbar::schedule
