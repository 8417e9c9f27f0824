// Known mappings and refutations first, then the search for a packing.
#include "crossbar/answers/class_packings.hpp"

#include <algorithm>

#include "crossbar/answers/memory_packing.hpp"
#include "crossbar/assign/cycle_classes.hpp"
#include "crossbar/cost/throughput.hpp"

namespace pimbb::crossbar::classes {
namespace {

using assign::Answer;

constexpr std::size_t kMostKept = 64;
constexpr std::size_t kMostRefuted = 256;
constexpr std::uint64_t kNodesOfSmall = 1'000'000;  // of an exact packing
constexpr std::uint64_t kNodesOfLarge = 2'000;

bool is_at_most(const Replication& a, const Replication& b) {
  return std::ranges::equal(a, b, [](std::int64_t x, std::int64_t y) { return x <= y; });
}

}  // namespace

Mapping without_last_replicas(const assign::Problem& problem, const Mapping& mapping,
                              const Replication& replication) {
  Mapping rest = mapping;
  rest.replication = problem.by_array(replication);
  std::vector<std::int64_t> surplus;  // array groups
  for (std::size_t v = 0; v < rest.replication.size(); ++v) {
    surplus.push_back((mapping.replication[v] - rest.replication[v]) * problem.p.arrays[v].groups);
  }
  for (auto core = rest.cores.rbegin(); core != rest.cores.rend(); ++core) {
    for (Share& share : *core) {
      const std::int64_t out = std::min(share.groups, surplus[share.array]);
      share.groups -= out;
      surplus[share.array] -= out;
    }
    std::erase_if(*core, [](const Share& share) { return share.groups == 0; });
  }
  return rest;
}

ClassPackings::ClassPackings(const assign::Problem& problem, const joint::JointBoxes& boxes,
                             assign::Effort& effort, SolveStatistics& spent)
    : problem_(problem),
      effort_(effort),
      longest_(boxes.longest()),
      nodes_(joint::is_small(problem) ? kNodesOfSmall : kNodesOfLarge),
      packer_(problem, boxes, effort, spent,
              [this](Mapping mapping) { return offer(std::move(mapping)); }) {}

bool ClassPackings::has_same_cycles(const Replication& a, const Replication& b) const {
  for (std::size_t f = 0; f < a.size(); ++f) {
    const std::int64_t windows = problem_.families[f].windows;
    if (assign::cycles_of(windows, a[f]) != assign::cycles_of(windows, b[f])) return false;
  }
  return true;
}

const ClassPackings::Kept* ClassPackings::find(const Replication& replication,
                                               std::int64_t deadline) const {
  const auto place = std::ranges::find_if(kept_, [&](const Kept& kept) {
    return kept.ht <= deadline && is_at_most(replication, kept.replication) &&
           (is_free(deadline) || has_same_cycles(replication, kept.replication));
  });
  return place == kept_.end() ? nullptr : &*place;
}

bool ClassPackings::is_refuted(const Replication& replication, std::int64_t deadline) const {
  return std::ranges::any_of(refuted_, [&](const Refuted& refuted) {
    return refuted.deadline >= deadline && is_at_most(refuted.replication, replication) &&
           (is_free(refuted.deadline) || has_same_cycles(replication, refuted.replication));
  });
}

std::optional<std::int64_t> ClassPackings::offer(Mapping mapping) {
  if (find_violation(problem_.a, problem_.p, mapping)) return std::nullopt;
  const std::int64_t ht = std::ranges::max(cost::core_times(problem_.a, problem_.p, mapping));
  Replication replication = problem_.by_family(mapping.replication);
  if (is_known(replication, ht)) return ht;
  if (kept_.size() == kMostKept) kept_.erase(kept_.begin() + 1);
  kept_.push_back({std::move(replication), ht, std::move(mapping)});
  return ht;
}

Answer ClassPackings::decide(const Replication& replication, std::int64_t deadline) {
  if (is_known(replication, deadline)) return Answer::yes;
  if (is_refuted(replication, deadline)) return Answer::no;
  Answer answer = packer_.pack(replication, deadline, nodes_);
  if (answer == Answer::undecided && problem_.a.core.enforce_local_memory) {
    answer = with_memory(replication, deadline);
  }
  if (answer != Answer::no) return answer;
  if (refuted_.size() == kMostRefuted) refuted_.pop_front();
  refuted_.push_back({replication, is_free(deadline) ? longest_ : deadline});
  return answer;
}

Answer ClassPackings::with_memory(const Replication& replication, std::int64_t deadline) {
  if (within::lacks_memory(problem_)) return Answer::no;
  std::optional<Mapping> dealt =
      within::deal_with_memory(problem_.a, problem_.p, problem_.by_array(replication));
  if (dealt) {
    const std::optional<std::int64_t> ht = offer(std::move(*dealt));
    if (ht && *ht <= deadline) return Answer::yes;
  }
  assign::Effort part = effort_.part(nodes_);
  assign::Packed packed = within::pack_with_memory(
      problem_, replication, is_free(deadline) ? std::nullopt : std::optional(deadline), part);
  effort_.nodes = part.nodes;
  if (packed.answer != Answer::yes) return packed.answer;
  const auto ht = offer({problem_.by_array(replication), std::move(packed.cores)});
  return ht && *ht <= deadline ? Answer::yes : Answer::undecided;
}

std::optional<ClassPackings::Known> ClassPackings::known(const Replication& replication,
                                                         std::int64_t deadline) const {
  const Kept* kept = find(replication, deadline);
  if (kept == nullptr) return std::nullopt;
  Known known{without_last_replicas(problem_, kept->mapping, replication), 0};
  known.ht = std::ranges::max(cost::core_times(problem_.a, problem_.p, known.mapping));
  return known;
}

std::vector<Replication> ClassPackings::replications() const {
  std::vector<Replication> all;
  for (const Kept& kept : kept_) all.push_back(kept.replication);
  return all;
}

bool ClassPackings::is_any_known(const assign::Box& box, std::int64_t deadline,
                                 const Test& test) const {
  return std::ranges::any_of(kept_, [&](const Kept& kept) {
    if (kept.ht > deadline || !is_at_most(box.least, kept.replication)) return false;
    Replication greatest;
    for (std::size_t f = 0; f < box.most.size(); ++f) {
      const std::int64_t windows = problem_.families[f].windows;
      greatest.push_back(std::min(box.most[f], kept.replication[f]));
      const bool has_cycles = greatest[f] >= assign::least_of_class(windows, kept.replication[f]);
      if (!is_free(deadline) && !has_cycles) return false;
    }
    return test(greatest);
  });
}

}  // namespace pimbb::crossbar::classes
