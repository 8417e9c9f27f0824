// Stages of cutoffs, and the tree of each.
#include "crossbar/answers/class_list.hpp"

#include <algorithm>
#include <iterator>

namespace pimbb::crossbar::classes {
namespace {

using assign::Answer;

constexpr std::size_t kMostUndecided = 16;     // replications of a large problem in a stage
constexpr std::size_t kMostIdle = 500;         // boxes without a class, likewise
constexpr std::size_t kSpareVisits = 1'000;    // boxes, after a limit
constexpr std::int64_t kFirstStep = 64;        // a 64th above the least, then twice as much
constexpr std::uint64_t kVisitsOfReport = 64;  // boxes

}  // namespace

bool ClassList::is_complete() const {
  const bool proven =
      std::ranges::all_of(list_, [](const auto& c) { return c.second.is_proven(); });
  if (!proven) return false;
  if (!missing_) return true;
  if (list_.empty()) return false;
  return is_full() ? last() <= *missing_ : has_all_within_;
}

std::optional<Rational> ClassList::optimum() const {
  if (list_.empty()) return std::nullopt;
  const Rational& least = list_.begin()->first.first;
  if (missing_ && *missing_ < least) return std::nullopt;
  const bool may_be_below =
      std::ranges::any_of(list_, [&](const auto& c) { return c.second.bound < least; });
  return may_be_below ? std::nullopt : std::optional(least);
}

/// The least cost above a value that a mapping can have.
Rational ClassList::after(const Rational& value) const {
  if (boxes_.goal() == Goal::ll) return value;
  return boxes_.deadline({value, false}) + problem_.quantum;
}

Cutoff ClassList::cutoff() const {
  Cutoff cutoff{most_, false};
  if (range_.within && !list_.empty()) cutoff.most = std::min(most_, most_within());
  if (is_full() && last() <= *cutoff.most) return {last(), true};
  return cutoff;
}

void ClassList::run(const Rational& least) {
  const Rational greatest = boxes_.greatest();
  most_ = range_.within ? std::min(greatest, (Rational(1) + *range_.within) * least) : least;
  for (std::int64_t share = 1;; share *= 2) {
    const bool is_closed = run_stage();
    const bool is_last = range_.within || most_ >= greatest;
    if (is_closed && is_last && !is_full() && cutoff().most >= greatest && !open_) missing_.reset();
    if (is_last || is_full() || stopped_) break;
    most_ = std::min(greatest, max(after(most_), least + Rational(share, kFirstStep) * least));
  }
  if (stopped_ && !is_full()) list_known();
  if (range_.within) drop_beyond_share();
}

/// Where a limit came before: the mappings that are known and, unless the time is up, some of what
/// they answer for.
void ClassList::list_known() {
  stopped_ = false;
  known_only_ = true;
  spare_ = kSpareVisits;
  for (const Replication& replication : packings_.replications()) {
    visit_one(replication, cutoff());
    if (effort_.stopped()) break;
  }
  if (!effort_.stopped()) visit(boxes_.root());
  known_only_ = false;
  spare_ = 0;
}

/// What was found before a better class.
void ClassList::drop_beyond_share() {
  if (list_.empty()) return;
  const Rational most = most_within();
  std::erase_if(list_, [&](const auto& c) { return c.first.first > most; });
}

/// Whether all within the cutoff was visited.
bool ClassList::run_stage() {
  stopped_ = false;
  patient_ = false;
  if (visit_all()) return true;
  if (!stopped_ && !is_full()) {
    known_only_ = true;
    visit(boxes_.root());
    known_only_ = false;
  }
  if (stopped_ || (!is_full() && !range_.within)) return false;
  // what is better than a list that is full now may be proven to be nothing; a share has no next
  // stage
  patient_ = true;
  return visit_all();
}

bool ClassList::visit_all() {
  open_.reset();
  undecided_ = 0;
  idle_ = 0;
  visit(boxes_.root());
  if (stopped_ || is_abandoned()) return false;
  close_stage();
  return true;
}

/// On large networks: where nothing is found any more, or nothing decided.
bool ClassList::is_abandoned() const {
  return undecided_ > kMostUndecided || (idle_ > kMostIdle && !patient_);
}

void ClassList::close_stage() {
  const Rational most = *cutoff().most;
  Rational bound = is_full() ? last() : after(most);
  if (open_) bound = std::min(bound, *open_);
  for (const auto& [key, found] : list_) {
    if (!found.is_proven()) bound = std::min(bound, found.bound);
  }
  missing_ = max(*missing_, bound);
  has_all_within_ = range_.within && (!open_ || *open_ > most);
}

bool ClassList::may_go_on() {
  if (stopped_ || (!known_only_ && is_abandoned())) return false;
  if (is_full() && last() <= floor_) return false;
  if (visits_++ % kVisitsOfReport == 0) report_();
  if (spare_ > 0) {
    stopped_ = --spare_ == 0 || effort_.stopped();
    return !stopped_;
  }
  if (effort_.exhausted() || effort_.stopped()) {
    stopped_ = true;
    return false;
  }
  if (!known_only_ && !joint::is_small(problem_)) ++idle_;
  const std::uint64_t nodes = known_only_ ? 1 : joint::nodes_of_box(problem_);
  effort_.spend_up_to(nodes);
  return true;
}

void ClassList::visit(assign::Box box) {
  if (!may_go_on()) return;
  const Cutoff now = cutoff();
  if (known_only_ && !boxes_.has_known(packings_, box, now)) return;
  if (!boxes_.narrow(box, now, !known_only_)) return;
  const std::optional<ClassBoxes::Halving> at = boxes_.first_halving(box);
  if (!at) return visit_one(box.least, now);
  visit(assign::LatencyBoxes::low_half(box, *at));
  visit(assign::LatencyBoxes::high_half(std::move(box), *at));
}

void ClassList::visit_one(const Replication& replication, const Cutoff& cutoff) {
  if (listed_.contains(replication)) return;
  const Rational least = max(floor_, boxes_.least(replication));
  if (!cutoff.admits(least)) return;
  const std::int64_t deadline = boxes_.deadline(cutoff);
  const Answer answer =
      known_only_ ? packings_.is_known(replication, deadline) ? Answer::yes : Answer::undecided
                  : packings_.decide(replication, deadline);
  if (answer == Answer::no) return;
  std::optional<ClassPackings::Known> known = packings_.known(replication, deadline);
  if (answer == Answer::undecided || !known) {
    if (!known_only_) leave_open(least);
    return;
  }
  FoundClass found{Rational(known->ht), least, std::move(known->mapping)};
  if (boxes_.goal() == Goal::ll) {
    found.value = boxes_.latency(replication);
  } else if (!known_only_ || (joint::is_small(problem_) && spare_ == 0)) {
    settle(found, replication);
  }
  insert(replication, std::move(found));
}

/// The least `ht` of the class, by bisection on deadlines.
void ClassList::settle(FoundClass& found, const Replication& replication) {
  std::int64_t low = boxes_.deadline({found.bound, false});
  std::int64_t high = boxes_.deadline({found.value, false});
  while (low < high) {
    const std::int64_t middle = low + (high - low) / problem_.quantum / 2 * problem_.quantum;
    const Answer answer = packings_.decide(replication, middle);
    if (answer == Answer::undecided) break;
    if (answer == Answer::no) {
      low = middle + problem_.quantum;
      continue;
    }
    std::optional<ClassPackings::Known> known = packings_.known(replication, middle);
    if (!known) break;
    high = known->ht;
    found.mapping = std::move(known->mapping);
  }
  found.value = high;
  found.bound = low;
}

bool ClassList::has_room_for(const Mapping& mapping) const {
  std::uint64_t bytes = sizeof(FoundClass) + 64 * mapping.cores.size();
  for (const std::vector<Share>& core : mapping.cores) bytes += sizeof(Share) * core.size();
  return (list_.size() + 1) * bytes <= effort_.most_bytes / 2;
}

void ClassList::insert(const Replication& replication, FoundClass found) {
  if (!has_room_for(found.mapping)) {
    stopped_ = true;
    return;
  }
  const bool is_first = list_.empty() || found.value < list_.begin()->first.first;
  Key key{found.value, replication};
  list_.emplace(std::move(key), std::move(found));
  listed_.insert(replication);
  if (list_.size() > range_.most) {
    const auto dropped = std::prev(list_.end());
    listed_.erase(dropped->first.second);
    list_.erase(dropped);
  }
  idle_ = 0;
  if (is_first) report_();
}

void ClassList::leave_open(const Rational& bound) {
  if (!joint::is_small(problem_)) ++undecided_;
  open_ = open_ ? std::min(*open_, bound) : bound;
}

}  // namespace pimbb::crossbar::classes
