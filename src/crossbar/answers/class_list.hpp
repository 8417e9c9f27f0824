// The list of the best classes of mappings: all classes within a cutoff, in stages of cutoffs that
// grow until the list is full.
//
// A stage goes through a tree of boxes of replications depth first, low halves of the first family
// first, that is, in lexicographic order. Once the list is full, only classes that cost less than
// its last one are of use: later ones of equal cost come after it. So a stage that was not stopped
// leaves the first ones of all within its cutoff, but for replications whose packings are not
// decided; these have a bound of their own.
//
// On a large network many replications may be hard to pack within the cutoff while astronomically
// many are easy. After a number of the former, or of boxes without any class, a stage takes what
// the mappings that are known answer for (class_packings.hpp): then the list is of classes of
// proven costs, of which there may be earlier ones among those that cost as much. A list that is
// full then is proven by a search for what costs less than its last class.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "crossbar/answers/class_boxes.hpp"
#include "pimbb/top.hpp"

namespace pimbb::crossbar::classes {

struct FoundClass {
  Rational value;  ///< of the mapping
  Rational bound;  ///< of all mappings of the class; the value if that is proven
  Mapping mapping;
  [[nodiscard]] bool is_proven() const { return bound == value; }
};

class ClassList {
 public:
  /// References are kept. `bound`: proven elsewhere, no mapping costs less.
  ClassList(const assign::Problem& problem, ClassBoxes& boxes, ClassPackings& packings,
            const TopRange& range, Rational bound, assign::Effort& effort,
            std::function<void()> report)
      : problem_(problem),
        boxes_(boxes),
        packings_(packings),
        range_(range),
        floor_(std::move(bound)),
        missing_(floor_),
        effort_(effort),
        report_(std::move(report)) {}

  /// `least`: the cost of a mapping that `packings` knows.
  void run(const Rational& least);

  using Key = std::pair<Rational, Replication>;
  /// By cost, then by replication.
  [[nodiscard]] const std::map<Key, FoundClass>& classes() const { return list_; }
  /// No class that is not listed costs less than this or than the last one listed; nothing: there
  /// are no others. Classes whose costs are not proven cost no less either.
  [[nodiscard]] const std::optional<Rational>& missing() const { return missing_; }
  /// Whether no class outside the list is better than its last one, and all costs are proven; with
  /// a share: all classes within it are listed, or the list is full.
  [[nodiscard]] bool is_complete() const;
  /// Whether all classes of the cost of the optimum are listed.
  [[nodiscard]] bool has_all_at(const Rational& optimum) const {
    return !missing_ || *missing_ > optimum || (has_all_within_ && !is_full());
  }
  [[nodiscard]] bool is_full() const { return list_.size() >= range_.most; }
  /// The cost of the optimum, if that is proven.
  [[nodiscard]] std::optional<Rational> optimum() const;
  /// With a share: the greatest cost within it, of the best class listed.
  [[nodiscard]] Rational most_within() const {
    return (Rational(1) + *range_.within) * list_.begin()->first.first;
  }

 private:
  [[nodiscard]] const Rational& last() const { return list_.rbegin()->first.first; }
  [[nodiscard]] Cutoff cutoff() const;
  [[nodiscard]] Rational after(const Rational& value) const;
  [[nodiscard]] bool may_go_on();
  [[nodiscard]] bool has_room_for(const Mapping& mapping) const;
  bool run_stage();
  bool visit_all();
  [[nodiscard]] bool is_abandoned() const;
  void close_stage();
  void drop_beyond_share();
  void list_known();
  void visit(assign::Box box);
  void visit_one(const Replication& replication, const Cutoff& cutoff);
  void settle(FoundClass& found, const Replication& replication);
  void insert(const Replication& replication, FoundClass found);
  void leave_open(const Rational& bound);

  const assign::Problem& problem_;
  ClassBoxes& boxes_;
  ClassPackings& packings_;
  const TopRange& range_;
  Rational floor_;
  std::optional<Rational> missing_;
  assign::Effort& effort_;
  std::function<void()> report_;
  std::map<Key, FoundClass> list_;
  std::set<Replication> listed_;
  bool has_all_within_ = false;
  // of a stage
  Rational most_;                 // its cutoff
  std::optional<Rational> open_;  // bound of what is not decided
  std::size_t undecided_ = 0;
  std::size_t idle_ = 0;  // boxes since a class was found
  bool known_only_ = false;
  bool patient_ = false;   // only limits end it
  std::size_t spare_ = 0;  // boxes that are visited whatever the limits
  bool stopped_ = false;
  std::uint64_t visits_ = 0;
};

}  // namespace pimbb::crossbar::classes
