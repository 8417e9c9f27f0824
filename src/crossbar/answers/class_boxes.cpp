// Ranges by room and work as for fronts, packings of what a box needs at least, bounds of `ll`.
#include "crossbar/answers/class_boxes.hpp"

#include <algorithm>

#include "crossbar/answers/searches.hpp"
#include "crossbar/assign/cycle_classes.hpp"
#include "exact/int128.hpp"

namespace pimbb::crossbar::classes {
namespace {

constexpr std::uint64_t kNodesOfRefutation = 2'000;

}  // namespace

std::int64_t ClassBoxes::deadline(const Cutoff& cutoff) const {
  const std::int64_t longest = boxes_.longest();
  if (goal_ == Goal::ll || !cutoff.most) return longest;
  if (cutoff.most->sign() < 0) return 0;
  std::int64_t most = within::whole(*cutoff.most).value_or(longest);
  if (cutoff.strict && Rational(most) == *cutoff.most) --most;
  return most < 0 ? 0 : std::min(longest, most / problem_.quantum * problem_.quantum);
}

Rational ClassBoxes::greatest() const {
  if (goal_ == Goal::ht) return boxes_.longest();
  return latency(Replication(problem_.families.size(), 1));
}

/// `ll` never grows with more replicas: it is the greatest of sums of a_k/rho_k with a_k >= 0, and
/// the rates rho do not get less. So the greatest replication of a box bounds it, and so do prices:
/// they hold for every replication of the box (assign/allocation.hpp).
bool ClassBoxes::is_beyond(const assign::Box& box, const Cutoff& cutoff, bool thorough) {
  if (!cutoff.admits(latency(box.most))) return true;
  if (!thorough || joint::is_small(problem_) || box.least == box.most) return false;
  const auto stop = [this] { return effort_.stopped(); };
  const Rational bound = boxes_.bound(box, boxes_.longest(), !is_bounded_, stop).value;
  is_bounded_ = true;
  return !cutoff.admits(bound);
}

bool ClassBoxes::narrow(assign::Box& box, const Cutoff& cutoff, bool thorough) {
  const std::int64_t most = deadline(cutoff);
  if (!boxes_.tighten_all(box, most)) return false;
  if (goal_ == Goal::ll && cutoff.most && is_beyond(box, cutoff, thorough)) return false;
  if (!thorough || !joint::is_small(problem_)) return true;
  assign::Effort part = effort_.part(kNodesOfRefutation);
  const assign::Answer answer = assign::pack_least(problem_, box.least, box.most, most, part);
  effort_.add(part);
  return answer != assign::Answer::no;
}

/// `ht`: all replications of the box have the same cycles, so that what the greatest one has room
/// and time for, the others have too (class_packings.hpp). `ll`: the least one has the greatest.
bool ClassBoxes::is_alike(const assign::Box& box, const Cutoff& cutoff) const {
  if (goal_ == Goal::ll) return cutoff.admits(latency(box.least));
  for (std::size_t f = 0; f < box.least.size(); ++f) {
    const std::int64_t windows = problem_.families[f].windows;
    if (assign::cycles_of(windows, box.least[f]) != assign::cycles_of(windows, box.most[f])) {
      return false;
    }
  }
  return true;
}

bool ClassBoxes::has_known(const ClassPackings& packings, const assign::Box& box,
                           const Cutoff& cutoff) const {
  return packings.is_any_known(box, deadline(cutoff), [&](const Replication& greatest) {
    return goal_ == Goal::ht || cutoff.admits(latency(greatest));
  });
}

/// `ht`: the most cycles, and the multiplications of all cores, idle ones included.
Rational ClassBoxes::least(const Replication& replication) const {
  if (goal_ == Goal::ll) return latency(replication);
  std::int64_t cycles = 0;
  Int128 work = 0;
  for (std::size_t f = 0; f < replication.size(); ++f) {
    const assign::Family& family = problem_.families[f];
    cycles = std::max(cycles, assign::cycles_of(family.windows, replication[f]));
    work += Int128{family.groups} * assign::work_of(family.windows, replication[f]);
  }
  const auto each = static_cast<std::int64_t>((work + problem_.cores - 1) / problem_.cores);
  return problem_.rounded_up(
      std::max(cycles * problem_.a.mvm.time, each * problem_.a.mvm.interval));
}

/// Where the range is halved: between two numbers of cycles if it has several.
std::int64_t ClassBoxes::seam(const assign::Box& box, std::size_t f) const {
  const std::int64_t least = box.least[f];
  const std::int64_t most = box.most[f];
  const std::int64_t middle = least + (most - least) / 2;
  if (goal_ == Goal::ll) return middle;
  const std::int64_t windows = problem_.families[f].windows;
  const std::int64_t below = assign::least_of_class(windows, middle + 1) - 1;
  if (below >= least) return below;
  const std::int64_t above = assign::next_class(windows, least) - 1;
  return above < most ? above : middle;
}

std::optional<ClassBoxes::Halving> ClassBoxes::first_halving(const assign::Box& box) const {
  for (std::size_t f = 0; f < box.least.size(); ++f) {
    if (box.least[f] < box.most[f]) return Halving{f, seam(box, f)};
  }
  return std::nullopt;
}

std::optional<ClassBoxes::Halving> ClassBoxes::widest_halving(const assign::Box& box) const {
  std::size_t widest = 0;
  std::int64_t most = 0;
  for (std::size_t f = 0; f < box.least.size(); ++f) {
    std::int64_t span = box.most[f] - box.least[f];
    if (goal_ == Goal::ht && span > 0) {
      const std::int64_t windows = problem_.families[f].windows;
      span += (assign::cycles_of(windows, box.least[f]) - assign::cycles_of(windows, box.most[f])) *
              problem_.all_crossbars();  // seams of cycles first
    }
    if (span <= most) continue;
    most = span;
    widest = f;
  }
  if (most == 0) return std::nullopt;
  return Halving{widest, seam(box, widest)};
}

}  // namespace pimbb::crossbar::classes
