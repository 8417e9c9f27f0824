// Depth first, the box with more replicas first: it has the lesser latencies.
#include "crossbar/answers/bounded_tree.hpp"

#include <algorithm>

#include "crossbar/answers/memory_packing.hpp"
#include "crossbar/assign/spread.hpp"
#include "crossbar/cost/latency.hpp"
#include "exact/int128.hpp"

namespace pimbb::crossbar::within {
namespace {

using assign::Answer;
using assign::Family;
using Replication = std::vector<std::int64_t>;  // by family

class BoundedTree {
 public:
  BoundedTree(const assign::Problem& problem, const TreeLimits& limits, assign::Effort& effort,
              bool least)
      : problem_(problem), limits_(limits), effort_(effort), least_(least) {}

  TreeFound run() {
    Box root;
    for (const Family& family : problem_.families) {
      root.push_back({0, 0});
      choices_.push_back(choices_of(family));
      if (choices_.back().empty()) return {Answer::no, {}, {}, true};
      root.back().last = choices_.back().size() - 1;
    }
    const Answer answer = visit(root);
    found_.proven = answer == Answer::no || (answer == Answer::yes && !least_);
    if (found_.answer != Answer::yes) found_.answer = answer;
    return std::move(found_);
  }

 private:
  struct Range {
    std::size_t first;
    std::size_t last;
  };
  using Box = std::vector<Range>;  // by family, of choices

  /// Replications within the deadline. Where latencies do not matter, only the least one of each
  /// number of cycles: without its last replica a mapping needs no more time, room or memory.
  [[nodiscard]] Replication choices_of(const Family& family) const {
    const std::int64_t cycles =
        limits_.deadline ? *limits_.deadline / problem_.a.mvm.time : family.windows;
    if (cycles < 1) return {};
    const std::int64_t most = std::min(family.windows, problem_.all_crossbars() / family.crossbars);
    Replication all;
    if (!least_ && !limits_.latency) {
      for (const assign::Option& option : assign::options(family.windows, cycles, most)) {
        all.push_back(option.replication);
        if (!limits_.deadline) break;
      }
      return all;
    }
    for (std::int64_t r = assign::ceil_div(family.windows, cycles); r <= most; ++r)
      all.push_back(r);
    return all;
  }

  [[nodiscard]] Rational latency(const Replication& replication) const {
    return cost::latency(problem_.a, problem_.p, {problem_.by_array(replication), {}},
                         cost::RateRule::provider);
  }
  /// Whether a latency is of no use.
  [[nodiscard]] bool is_late(const Rational& value) const {
    return (limits_.latency && value > *limits_.latency) ||
           (found_.answer == Answer::yes && value >= found_.latency);
  }

  [[nodiscard]] bool is_refuted(const Box& box) const {
    Int128 room = 0;
    Int128 work = 0;
    Replication most;
    for (std::size_t f = 0; f < box.size(); ++f) {
      const Family& family = problem_.families[f];
      room += Int128{family.crossbars} * choices_[f][box[f].first];
      work += Int128{family.groups} * family.windows;
      most.push_back(choices_[f][box[f].last]);
    }
    if (room > problem_.all_crossbars()) return true;
    if (limits_.deadline &&
        work > Int128{problem_.cores} * (*limits_.deadline / problem_.a.mvm.interval)) {
      return true;
    }
    return (least_ || limits_.latency) && is_late(latency(most));
  }

  [[nodiscard]] std::optional<std::size_t> widest(const Box& box) const {
    std::optional<std::size_t> widest;
    Int128 most = 0;
    for (std::size_t f = 0; f < box.size(); ++f) {
      const std::int64_t more = choices_[f][box[f].last] - choices_[f][box[f].first];
      const Int128 span = Int128{problem_.families[f].crossbars} * more;
      if (span <= most) continue;
      most = span;
      widest = f;
    }
    return widest;
  }

  /// yes: found, and nothing more is wanted; no: nothing more is in the box.
  Answer visit(const Box& box) {
    if (is_refuted(box)) return Answer::no;
    const std::optional<std::size_t> f = widest(box);
    if (!f || (!least_ && !limits_.deadline && !is_late(latency_of_least(box)))) return leaf(box);
    if (effort_.exhausted()) return Answer::undecided;
    effort_.spend();
    if (effort_.stopped()) effort_.most_nodes = effort_.nodes;  // latencies take their time
    const Range whole = box[*f];
    const std::size_t middle = whole.first + (whole.last - whole.first) / 2;
    Box half = box;
    half[*f] = {middle + 1, whole.last};
    const Answer high = visit(half);
    if (high == Answer::yes || (high == Answer::undecided && effort_.exhausted())) return high;
    half[*f] = {whole.first, middle};
    const Answer low = visit(half);
    return low == Answer::no ? high : low;
  }

  [[nodiscard]] Replication least_of(const Box& box) const {
    Replication replication;
    for (std::size_t f = 0; f < box.size(); ++f) {
      replication.push_back(choices_[f][box[f].first]);
    }
    return replication;
  }
  [[nodiscard]] Rational latency_of_least(const Box& box) const {
    return limits_.latency ? latency(least_of(box)) : Rational(0);
  }

  /// The least replications: without a deadline they fit if any of the box do.
  Answer leaf(const Box& box) {
    const Replication replication = least_of(box);
    const Rational value = least_ ? latency(replication) : Rational(0);
    assign::Packed packed = pack(replication);
    if (packed.answer != Answer::yes) return packed.answer;
    found_.answer = Answer::yes;
    found_.mapping = {problem_.by_array(replication), std::move(packed.cores)};
    found_.latency = value;
    return least_ ? Answer::no : Answer::yes;
  }

  assign::Packed pack(const Replication& replication) {
    if (problem_.a.core.enforce_local_memory) {
      return pack_with_memory(problem_, replication, limits_.deadline, effort_);
    }
    if (!limits_.deadline) {
      std::optional<Mapping> mapping = assign::first_fit(problem_, replication);
      if (mapping) return {Answer::yes, std::move(mapping->cores)};
    }
    return assign::pack(problem_, replication, limits_.deadline, effort_);
  }

  const assign::Problem& problem_;
  const TreeLimits& limits_;
  assign::Effort& effort_;
  bool least_;
  std::vector<Replication> choices_;  // by family, ascending
  TreeFound found_;
};

}  // namespace

TreeFound any_within(const assign::Problem& problem, const TreeLimits& limits,
                     assign::Effort& effort) {
  return BoundedTree(problem, limits, effort, false).run();
}

TreeFound least_latency_within(const assign::Problem& problem, const TreeLimits& limits,
                               assign::Effort& effort) {
  return BoundedTree(problem, limits, effort, true).run();
}

}  // namespace pimbb::crossbar::within
