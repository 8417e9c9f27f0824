// High throughput without instructions: the array groups of a replica in a core are a team, and
// what a core does in a round follows from its teams with windows left.
#pragma once

#include <vector>

#include "crossbar/schedule/group_progress.hpp"

namespace pimbb::crossbar::schedule {

struct Team {
  Index core = 0;
  Index first = 0;  ///< of its array groups, which follow each other
  Index groups = 0;
  Index windows = 0;
  std::int64_t first_load = 0;  ///< ns of a LD, for the first window
  std::int64_t later_load = 0;
  std::int64_t pass = 0;      ///< of the vector unit over a result
  Work transfer;              ///< of a result: the ST at home, else the SEND
  Index home = 0;             ///< team with the replica's group 0
  std::vector<Index> others;  ///< at home: the replica's other teams, by core

  // while it runs
  Index summed = 0;          ///< windows whose result is complete; at home also activated
  Index passed_on = 0;       ///< whose result has been stored or sent
  std::int64_t sum_end = 0;  ///< of the last one that is complete
  std::int64_t passed_on_end = 0;
  Ends messages;  ///< away from home: SENDs
};

/// What a core does for a vector node after all rounds, ns.
struct VectorShare {
  std::int64_t load = 0;
  std::int64_t passes = 0;
  std::int64_t store = 0;
};

struct Teams {
  std::vector<Team> all;  ///< by array, replica and core
  std::vector<GroupProgress> groups;
  std::vector<std::vector<Index>> of_core;       ///< in the order of `all`
  std::vector<std::vector<VectorShare>> shares;  ///< by core

  [[nodiscard]] bool at_home(Index team) const {
    return all[static_cast<std::size_t>(team)].home == team;
  }
};

Teams teams(const Architecture& architecture, const Partition& partition, const Mapping& mapping,
            const run::Guard& guard);

/// The teams of a core with windows left, one after the other, round by round.
class Turns {
 public:
  Turns(const Teams& teams, const std::vector<Index>& of_core);

  [[nodiscard]] bool ended() const { return left_.empty(); }              ///< all rounds
  [[nodiscard]] bool round_ended() const { return at_ == left_.size(); }  ///< this one
  [[nodiscard]] Index team() const { return left_[at_].team; }
  [[nodiscard]] Index round() const { return round_; }
  void next() {
    ++at_;
    step = 0;
  }
  void again() { at_ = 0; }  ///< all teams of the round once more
  void next_round();

  Index step = 0;  ///< of what the team does in its turn

 private:
  struct Member {
    Index team = 0;
    Index windows = 0;
  };
  std::vector<Member> left_;
  std::size_t at_ = 0;
  Index round_ = 0;
  Index least_ = 0;  // windows of a member that is left
};

}  // namespace pimbb::crossbar::schedule
