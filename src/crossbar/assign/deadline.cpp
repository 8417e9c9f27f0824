// Families are decided one after the other, those that take most crossbars first. A node of the
// tree is refuted if the room or the time of all cores together is less than what the decided
// families and the least of the others need.
#include "crossbar/assign/deadline.hpp"

#include <algorithm>
#include <numeric>

#include "crossbar/assign/bounds.hpp"
#include "exact/int128.hpp"

namespace pimbb::crossbar::assign {
namespace {

class DeadlineTree {
 public:
  DeadlineTree(const Problem& problem, std::int64_t deadline, Effort& effort, std::uint64_t& leaves)
      : problem_(problem), deadline_(deadline), effort_(effort), leaves_(leaves) {
    const std::int64_t cycles = deadline / problem.a.mvm.time;
    for (const Family& family : problem.families) {
      const std::int64_t most = problem.all_crossbars() / family.crossbars;
      options_.push_back(options(family.windows, cycles, most));
    }
    order_.resize(options_.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::ranges::stable_sort(order_, [&](std::size_t x, std::size_t y) {
      return problem.families[x].crossbars > problem.families[y].crossbars;
    });
  }

  Decision run() {
    for (const auto& each : options_) {
      if (each.empty()) return {Answer::no, {}};
    }
    least_room_.assign(order_.size() + 1, 0);
    least_work_.assign(order_.size() + 1, 0);
    for (std::size_t i = order_.size(); i-- > 0;) {
      const Family& family = problem_.families[order_[i]];
      const std::vector<Option>& all = options_[order_[i]];
      const auto least = std::ranges::min(all, {}, &Option::work);
      least_room_[i] = least_room_[i + 1] + Int128{family.crossbars} * all.front().replication;
      least_work_[i] = least_work_[i + 1] + Int128{family.groups} * least.work();
    }
    replication_.assign(order_.size(), 1);
    cycles_.assign(order_.size(), 1);
    Decision decision;
    decision.answer = decide(0, 0, 0, decision);
    return decision;
  }

 private:
  Answer decide(std::size_t i, Int128 room, Int128 work, Decision& decision) {
    if (room + least_room_[i] > problem_.all_crossbars()) return Answer::no;
    const Int128 most = Int128{problem_.cores} * (deadline_ / problem_.a.mvm.interval);
    if (work + least_work_[i] > most) return Answer::no;
    if (i == order_.size()) return leaf(decision);
    if (effort_.exhausted()) return Answer::undecided;
    effort_.spend();
    const std::size_t f = order_[i];
    const Family& family = problem_.families[f];
    Answer answer = Answer::no;
    for (const Option& option : options_[f]) {
      replication_[f] = option.replication;
      cycles_[f] = option.cycles;
      const Answer below = decide(i + 1, room + Int128{family.crossbars} * option.replication,
                                  work + Int128{family.groups} * option.work(), decision);
      if (below == Answer::yes) return below;
      if (below == Answer::undecided) answer = below;
      if (below == Answer::undecided && effort_.exhausted()) break;
    }
    return answer;
  }

  Answer leaf(Decision& decision) {
    std::vector<std::int64_t> groups;
    std::vector<std::int64_t> work;
    for (std::size_t f = 0; f < problem_.families.size(); ++f) {
      for (const std::size_t v : problem_.families[f].arrays) {
        groups.push_back(problem_.p.arrays[v].groups * replication_[f]);
        work.push_back(groups.back() * cycles_[f]);
      }
    }
    const auto bound = mandatory_bound(problem_, groups, work);
    if (!bound || *bound > deadline_) return Answer::no;
    ++leaves_;
    Packed packed = pack(problem_, replication_, deadline_, effort_);
    if (packed.answer == Answer::yes) {
      decision.mapping = {problem_.by_array(replication_), std::move(packed.cores)};
    }
    return packed.answer;
  }

  const Problem& problem_;
  std::int64_t deadline_;
  Effort& effort_;
  std::uint64_t& leaves_;
  std::vector<std::vector<Option>> options_;  // by family
  std::vector<std::size_t> order_;            // of families
  std::vector<Int128> least_room_;            // crossbars of order_[i], order_[i + 1], ...
  std::vector<Int128> least_work_;            // multiplications of these
  std::vector<std::int64_t> replication_;     // by family
  std::vector<std::int64_t> cycles_;
};

}  // namespace

Decision meets(const Problem& problem, std::int64_t deadline, Effort& effort,
               std::uint64_t& leaves) {
  return DeadlineTree(problem, deadline, effort, leaves).run();
}

}  // namespace pimbb::crossbar::assign
