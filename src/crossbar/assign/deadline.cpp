// A box has a range of options for each family, and is halved where the replicas of the range
// differ most. It is refuted if the room or the time of all cores, or of those that wide nodes
// leave to others, is less than what it needs at least.
#include "crossbar/assign/deadline.hpp"

#include <algorithm>

#include "crossbar/assign/bounds.hpp"
#include "exact/int128.hpp"

namespace pimbb::crossbar::assign {
namespace {

class DeadlineTree {
 public:
  DeadlineTree(const Problem& problem, std::int64_t deadline, Effort& effort, std::uint64_t& leaves,
               const Trace& trace)
      : problem_(problem), deadline_(deadline), effort_(effort), leaves_(leaves), trace_(trace) {
    const std::int64_t cycles = deadline / problem.a.mvm.time;
    for (const Family& family : problem.families) {
      const std::int64_t most = problem.all_crossbars() / family.crossbars;
      options_.push_back(options(family.windows, cycles, most));
    }
  }

  Decision run() {
    Box root;
    for (const std::vector<Option>& all : options_) {
      if (all.empty()) {
        tell("empty");
        return {Answer::no, {}};
      }
      root.ranges.push_back({0, all.size() - 1, least_work(all, 0, all.size() - 1)});
    }
    Decision decision;
    decision.answer = decide(root, decision);
    return decision;
  }

 private:
  struct Range {  // of options
    std::size_t first;
    std::size_t last;
    std::int64_t work;  // the least of them
  };
  struct Box {
    std::vector<Range> ranges;  // by family
  };

  static std::int64_t least_work(const std::vector<Option>& all, std::size_t first,
                                 std::size_t last) {
    std::int64_t least = all[first].work();
    for (std::size_t i = first; i <= last; ++i) least = std::min(least, all[i].work());
    return least;
  }

  void tell(const std::string& record) const {
    if (trace_) trace_(record);
  }

  [[nodiscard]] const Option& least_option(const Box& box, std::size_t f) const {
    return options_[f][box.ranges[f].first];
  }

  /// Why no mapping of the box meets the deadline, as a record; or "".
  [[nodiscard]] std::string refutation(const Box& box) const {
    Int128 room = 0;
    Int128 work = 0;
    Needs needs;
    for (std::size_t f = 0; f < options_.size(); ++f) {
      const Family& family = problem_.families[f];
      const std::int64_t replicas = least_option(box, f).replication;
      room += Int128{family.crossbars} * replicas;
      work += Int128{family.groups} * box.ranges[f].work;
    }
    if (room > problem_.all_crossbars()) return "room";
    const Int128 most = Int128{problem_.cores} * (deadline_ / problem_.a.mvm.interval);
    if (work > most) return "load";
    for (std::size_t f = 0; f < options_.size(); ++f) {
      for (const std::size_t v : problem_.families[f].arrays) {
        const std::int64_t groups = problem_.p.arrays[v].groups;
        needs.groups.push_back(groups * least_option(box, f).replication);
        needs.work.push_back(groups * box.ranges[f].work);
      }
    }
    const auto width = refuting_width(problem_, needs, deadline_);
    return width ? "wide " + std::to_string(*width) : "";
  }

  Answer decide(const Box& box, Decision& decision) {
    if (const std::string why = refutation(box); !why.empty()) {
      tell(why);
      return Answer::no;
    }
    const std::optional<std::size_t> f = widest(box);
    if (!f) return leaf(box, decision);
    if (effort_.exhausted()) return Answer::undecided;
    effort_.spend();
    const std::vector<Option>& all = options_[*f];
    const Range whole = box.ranges[*f];
    const std::size_t middle = whole.first + (whole.last - whole.first) / 2;
    tell("split " + std::to_string(*f) + " " + std::to_string(all[middle + 1].replication - 1));
    Box half = box;
    half.ranges[*f] = {whole.first, middle, least_work(all, whole.first, middle)};
    const Answer low = decide(half, decision);
    if (low == Answer::yes || (low == Answer::undecided && effort_.exhausted())) return low;
    half.ranges[*f] = {middle + 1, whole.last, least_work(all, middle + 1, whole.last)};
    const Answer high = decide(half, decision);
    return high == Answer::no ? low : high;
  }

  /// The family whose options differ most in crossbars; nothing if none has a choice.
  [[nodiscard]] std::optional<std::size_t> widest(const Box& box) const {
    std::optional<std::size_t> widest;
    Int128 most = 0;
    for (std::size_t f = 0; f < options_.size(); ++f) {
      const std::int64_t more =
          options_[f][box.ranges[f].last].replication - least_option(box, f).replication;
      const Int128 span = Int128{problem_.families[f].crossbars} * more;
      if (span <= most) continue;
      most = span;
      widest = f;
    }
    return widest;
  }

  Answer leaf(const Box& box, Decision& decision) {
    std::vector<std::int64_t> replication;
    for (std::size_t f = 0; f < options_.size(); ++f) {
      replication.push_back(least_option(box, f).replication);
    }
    ++leaves_;
    tell("pack");
    Packed packed = pack(problem_, replication, deadline_, effort_, trace_);
    if (packed.answer == Answer::yes) {
      decision.mapping = {problem_.by_array(replication), std::move(packed.cores)};
    }
    return packed.answer;
  }

  const Problem& problem_;
  std::int64_t deadline_;
  Effort& effort_;
  std::uint64_t& leaves_;
  const Trace& trace_;
  std::vector<std::vector<Option>> options_;  // by family
};

}  // namespace

Decision meets(const Problem& problem, std::int64_t deadline, Effort& effort, std::uint64_t& leaves,
               const Trace& trace) {
  return DeadlineTree(problem, deadline, effort, leaves, trace).run();
}

}  // namespace pimbb::crossbar::assign
