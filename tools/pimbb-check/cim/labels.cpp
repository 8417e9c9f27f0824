// States, labels, and the loops that may come next.
#include "labels.hpp"

#include <deque>
#include <unordered_map>

#include "semantics.hpp"

namespace pimbb_check::cim {
namespace {

enum Phase : std::uint8_t { kPlaced, kLeaving, kPending };

struct Stand {  // of a tensor
  std::size_t level = kMac;
  Phase phase = kLeaving;
  bool psum = false;
  // While the transfer is pending: where it goes.
  std::size_t inner = 0;
  bool inner_psum = false;
  bool hidden = false;

  [[nodiscard]] std::uint64_t key() const {
    return ((((level << 5 | inner) << 2 | phase) << 1 | (psum ? 1U : 0U)) << 1 |
            (inner_psum ? 1U : 0U))
               << 1 |
           (hidden ? 1U : 0U);
  }
};
using Stands = PerTensor<Stand>;

template <std::size_t More>
struct Label {
  Times times{};
  std::array<std::int64_t, More> more{};  // bits kept at shared levels; busy ports
  Energy energy = 0;

  [[nodiscard]] bool nowhere_above(const Label& other) const {
    for (std::size_t k = 0; k < kTimes; ++k) {
      if (times[k] > other.times[k]) return false;
    }
    for (std::size_t k = 0; k < More; ++k) {
      if (more[k] > other.more[k]) return false;
    }
    return energy <= other.energy;
  }
  void lower_to(const Label& other) {
    for (std::size_t k = 0; k < kTimes; ++k) times[k] = std::min(times[k], other.times[k]);
    for (std::size_t k = 0; k < More; ++k) more[k] = std::min(more[k], other.more[k]);
    energy = std::min(energy, other.energy);
  }
};

/// Labels of a state, none of which is nowhere above another, and what their bounds need.
template <std::size_t More>
struct Group {
  Stands stands;
  bool possible = true;
  std::array<std::int64_t, More> need{};   // bits of the present tiles at shared levels
  std::array<std::int64_t, More> later{};  // most that may be kept there from now on
  Energy energy = 0;
  PerTensor<Time> time{};
  std::vector<Label<More>> labels;

  void add(const Label<More>& label) {
    for (std::size_t k = 0; k < labels.size(); ++k) {
      if (!labels[k].nowhere_above(label)) continue;
      std::swap(labels[k], labels[k / 2]);  // may be met sooner the next time
      return;
    }
    std::erase_if(labels, [&](const Label<More>& other) { return label.nowhere_above(other); });
    labels.push_back(label);
  }
};

template <class Rule, std::size_t More>
class Nests {
 public:
  using L = Label<More>;
  using Entry = Group<More>;

  Nests(const Space& space, const Alone& alone, const Claim& claim, bool mirror_alike, Work& work)
      : space_(space),
        p_(space.problem()),
        alone_(alone),
        claim_(claim),
        mirror_alike_(mirror_alike),
        work_(work),
        cells_(space.cells()) {
    for (std::size_t cell = 0; cell < space.cells(); ++cell) views_.push_back(view_of(cell));
    shared_.fill(-1);
    bus_.fill(-1);
    for (std::size_t m = 0; m < p_.levels.size(); ++m) {
      const Flags& stores = p_.levels[m].stores;
      if (!p_.levels[m].size || stores[0] + stores[1] + stores[2] < 2) continue;
      shared_[m] = static_cast<int>(bounded_.size());
      bounded_.push_back(m);
    }
    port_ = end_ = bounded_.size();
    if (p_.contention != Contention::none) ++end_;
    for (std::size_t m = 0; m < p_.levels.size() && p_.contention == Contention::bus; ++m) {
      bus_[m] = static_cast<int>(end_++);
    }
  }

  void run() {
    L start;
    start.times = Rule::start(space_.units().product, space_.products);
    if (claim_.with_energy()) start.energy = space_.activations();
    enter(0);
    Entry& first = entry(0, Stands{});
    if (first.possible) first.labels.push_back(start);
    const std::size_t last = space_.cells() - 1;
    for (std::size_t cell = 0; cell < last; ++cell) {
      enter(cell);
      for (std::size_t t = 0; t < 3; ++t) move_all(t);
      for (Entry& from : cells_[cell].entries) add_loops(from);
      work_.states += cells_[cell].entries.size();
      cells_[cell] = {};
    }
    for (const Entry& group : cells_[last].entries) {
      for (const L& label : group.labels) complete(group.stands, label);
    }
  }

 private:
  struct Cell {
    std::unordered_map<std::uint64_t, Entry*> index;
    std::deque<Entry> entries;
  };

  struct View {  // of a cell
    std::size_t cell = 0;
    std::int64_t left = 1, beyond = 1, reductions = 1;  // of the loops to come
    PerTensor<std::size_t> plot{};
  };

  [[nodiscard]] View view_of(std::size_t cell) const {
    View view;
    view.cell = cell;
    std::int64_t smallest = 0;
    for (std::size_t j = 0; j < kDims; ++j) {
      const Place& place = space_.place(cell, j);
      view.left *= place.left;
      if (reduces(j)) view.reductions *= place.left;
      if (place.left == 1) continue;
      smallest = smallest == 0 ? place.smallest : std::min(smallest, place.smallest);
    }
    view.beyond = smallest == 0 ? 1 : view.left / smallest;
    for (std::size_t t = 0; t < 3; ++t) view.plot[t] = space_.plot(cell, t);
    return view;
  }
  void enter(std::size_t cell) {
    now_ = views_[cell];
    planes_begun_ = false;
    for (const std::size_t j : {P, Q, R, S}) {
      planes_begun_ = planes_begun_ || space_.number(cell, j) > 0;
    }
  }

  Entry& entry(std::size_t cell, const Stands& stands) {
    const std::uint64_t key = stands[0].key() | stands[1].key() << 16 | stands[2].key() << 32;
    Cell& at = cells_[cell];
    Entry*& found = at.index[key];
    if (found == nullptr) {
      found = &at.entries.emplace_back();
      found->stands = stands;
      found->possible = look_ahead(views_[cell], *found);
    }
    return *found;
  }

  /// Adds a tensor's tile at its level, and the largest ones at bounded levels that it may come to;
  /// false if the tile does not fit.
  [[nodiscard]] bool keep_room(const View& view, std::size_t t, const Stand& s,
                               Entry& group) const {
    if (s.level != kMac && p_.levels[s.level].size) {
      const std::int64_t bits =
          space_.bits(t, s.level, view.plot[t], s.psum) * (forced(t, s.level) ? 2 : 1);
      if (bits > *p_.levels[s.level].size) return false;
      if (shared_[s.level] >= 0) group.need[index(shared_[s.level])] += bits;
    }
    for (std::size_t k = 0; k < bounded_.size(); ++k) {
      const std::size_t m = bounded_[k];
      if (!p_.levels[m].stores[t] || (s.level != kMac && s.level > m)) continue;
      const std::size_t whole = space_.plots(t) - 1;
      group.later[k] += std::max(space_.bits(t, m, whole, false), space_.bits(t, m, whole, true)) *
                        (allowed(t, m) ? 2 : 1);
    }
    return true;
  }

  /// What completing a tensor needs at least, its pending transfer included.
  [[nodiscard]] Rest rest_of(const View& view, std::size_t t, const Stand& s) const {
    const std::size_t plot = view.plot[t];
    Rest rest = s.level == kMac       ? alone_.start(t)
                : s.phase == kLeaving ? alone_.leaving(t, s.psum, s.level, plot)
                                      : alone_.placed(t, s.psum, s.level, plot);
    if (!rest.possible || s.phase != kPending) return rest;
    rest.time += transfer_time(t, s, plot) * alone_.weight(t, plot, s.hidden);
    if (claim_.with_energy()) rest.energy += transfer_energy(t, s, plot) * alone_.left(t, plot);
    return rest;
  }

  /// What completing a state needs at least; false if it cannot be completed.
  [[nodiscard]] bool look_ahead(const View& view, Entry& group) const {
    for (std::size_t t = 0; t < 3; ++t) {
      const Stand& s = group.stands[t];
      if (!keep_room(view, t, s, group)) return false;
      const Rest rest = rest_of(view, t, s);
      if (!rest.possible) return false;
      group.time[t] = rest.time;
      group.energy += rest.energy;
    }
    for (const std::size_t m : bounded_) {
      if (group.need[index(shared_[m])] > *p_.levels[m].size) return false;
    }
    return true;
  }

  static std::size_t index(int position) { return static_cast<std::size_t>(position); }
  [[nodiscard]] bool allowed(std::size_t t, std::size_t m) const {
    return p_.doubling != Doubling::off && p_.levels[m].may_double[t];
  }
  [[nodiscard]] bool forced(std::size_t t, std::size_t m) const {
    return p_.doubling == Doubling::on && p_.levels[m].may_double[t];
  }
  [[nodiscard]] Time transfer_time(std::size_t t, const Stand& s, std::size_t plot) const {
    return space_.time(t, s.level, plot, s.psum, s.inner == kMac);
  }
  [[nodiscard]] Energy transfer_energy(std::size_t t, const Stand& s, std::size_t plot) const {
    return space_.energy(t, s.level, s.psum, s.inner, s.inner_psum, plot);
  }

  /// Whether a label must be followed in its new state; settles what it keeps at shared levels.
  [[nodiscard]] bool stays(L& label, const Entry& group, const View& view) const {
    for (std::size_t k = 0; k < bounded_.size(); ++k) {
      const std::int64_t room = *p_.levels[bounded_[k]].size - label.more[k];
      if (group.need[k] > room) return false;
      if (group.later[k] <= room) label.more[k] = 0;  // there is room for all that may come
    }
    Time latency = Rule::bound(label.times, view.left, view.beyond, group.time);
    for (std::size_t k = port_; k < end_; ++k) latency = std::max(latency, label.more[k]);
    const Int128 total = claim_.with_energy()
                             ? space_.units().total(label.energy + group.energy, latency)
                             : Int128{0};
    return !claim_.closes(latency, total);
  }

  /// Follows all labels of a group into another state. A label that is nowhere above any of them
  /// comes first: if it is closed, so are all.
  template <class Change>
  void follow(const Entry& from, Entry& to, const View& view, const Change& change) {
    L lowest = lowest_;
    change(lowest);
    if (!stays(lowest, to, view)) return;
    for (const L& label : from.labels) {
      L next = label;
      change(next);
      if (stays(next, to, view)) to.add(next);
    }
  }
  void find_lowest(const Entry& group) {
    lowest_ = group.labels.front();
    for (const L& label : group.labels) lowest_.lower_to(label);
  }

  // A tensor leaves its level, or the MAC array.

  void move_all(std::size_t t) {
    std::deque<Entry>& entries = cells_[now_.cell].entries;
    const std::size_t count = entries.size();  // what comes in addition has moved
    for (std::size_t k = 0; k < count; ++k) {
      const Entry& from = entries[k];
      if (from.stands[t].phase == kPending || from.labels.empty()) continue;
      find_lowest(from);
      const std::size_t level = from.stands[t].level;
      for (std::size_t m = level == kMac ? 0 : level + 1; m < p_.levels.size(); ++m) {
        if (p_.levels[m].stores[t]) move(t, from, m);
      }
    }
  }

  void move(std::size_t t, const Entry& from, std::size_t to) {
    const Stand& s = from.stands[t];
    if (s.level == kMac) return arrive(t, from, to, 0, false);
    const auto& size = p_.levels[s.level].size;
    const std::int64_t bits = space_.bits(t, s.level, now_.plot[t], s.psum);
    const bool twice = allowed(t, s.level) && (!size || 2 * bits <= *size);
    const bool alone = shared_[s.level] < 0;
    if (twice) arrive(t, from, to, 2 * bits, true);
    if (forced(t, s.level)) return;
    if (!(twice && alone && Rule::kDoublingNeverHurts)) arrive(t, from, to, bits, false);
  }

  void arrive(std::size_t t, const Entry& from, std::size_t to, std::int64_t bits, bool doubled) {
    const Stand& old = from.stands[t];
    Stands stands = from.stands;
    Stand& s = stands[t];
    s.level = to;
    s.psum = t == kOutput && now_.reductions > 1;
    s.phase = space_.moves(t, to) ? kPending : kPlaced;
    s.hidden = s.phase == kPending && doubled;
    if (s.phase == kPlaced) {
      s.inner = 0;
      s.inner_psum = false;
    } else if (claim_.with_energy()) {
      s.inner = old.level;
      s.inner_psum = old.psum;
    } else {  // all that matters is whether the block is the first one
      s.inner = old.level == kMac && to != p_.innermost(t) ? kMac : 0;
      s.inner_psum = false;
    }
    Entry& group = entry(now_.cell, stands);
    if (!group.possible) return;
    const bool charged = old.level == kMac && to != p_.innermost(t) && claim_.with_energy();
    const Energy energy = charged ? space_.charged(t) : Energy{0};
    const int kept = old.level == kMac ? -1 : shared_[old.level];
    follow(from, group, now_, [&](L& label) {
      label.energy += energy;
      if (kept >= 0) label.more[index(kept)] += bits;
    });
  }

  // A loop around all so far.

  void add_loops(const Entry& from) {
    if (from.labels.empty()) return;
    for (const Stand& s : from.stands) {
      if (s.phase == kLeaving) return;
    }
    work_.labels += from.labels.size();
    find_lowest(from);
    for (std::size_t j = 0; j < kDims; ++j) {
      if (!may_follow(from.stands, j)) continue;
      const std::size_t t = kIrrelevantTo[j];
      const bool waits = t != kNoTensor && from.stands[t].phase == kPending;
      for (const Step& step : space_.place(now_.cell, j).steps) {
        if (waits) add_loop(from, j, step, true);
        if (!waits || now_.left > step.factor) add_loop(from, j, step, false);
      }
    }
  }

  [[nodiscard]] bool may_follow(const Stands& stands, std::size_t j) const {
    for (std::size_t t = 0; t < 3; ++t) {
      if (j == G && stands[t].level == p_.innermost(t)) return false;
    }
    if (p_.stationary && (j == P || j == Q || j == N) &&
        stands[kWeight].level != p_.innermost(kWeight)) {
      return false;
    }
    // The mirror image of a nest costs the same: one of the two begins its plane with P or R.
    return !mirror_alike_ || planes_begun_ || (j != Q && j != S);
  }

  /// `given`: the pending transfer of the tensor that does not see the loop is placed here.
  void add_loop(const Entry& from, std::size_t j, const Step& step, bool given) {
    LoopMoves loop;
    loop.factor = step.factor;
    Stands stands = from.stands;
    Energy energy = 0;
    PerTensor<Time> busy{};
    for (std::size_t t = 0; t < 3; ++t) {
      Stand& s = stands[t];
      if (s.phase != kPending || (!relevant(t, j) && !given)) continue;
      loop.time[t] = transfer_time(t, s, now_.plot[t]);
      loop.hidden[t] = s.hidden;
      busy[t] = ways(t) * now_.left * loop.time[t];
      if (claim_.with_energy()) energy += transfer_energy(t, s, now_.plot[t]) * now_.left;
      s = {s.level, relevant(t, j) ? kPlaced : kLeaving, s.psum};
    }
    const std::size_t cell = now_.cell + (step.to - space_.number(now_.cell, j)) * space_.stride(j);
    Entry& group = entry(cell, stands);
    if (!group.possible) return;
    follow(from, group, views_[cell], [&](L& label) {
      Rule::add(label.times, loop);
      label.energy += energy;
      for (std::size_t t = 0; t < 3 && port_ < end_; ++t) {
        if (busy[t] > 0) occupy(label, stands[t].level, busy[t]);
      }
    });
  }

  void occupy(L& label, std::size_t m, Time busy) const {
    label.more[port_] = std::max(label.more[port_], busy);
    if (bus_[m] >= 0) label.more[index(bus_[m])] += busy;
  }

  void complete(const Stands& stands, L label) const {
    PerTensor<Time> boot{};
    for (std::size_t t = 0; t < 3; ++t) {
      const Stand& s = stands[t];
      if (s.level == p_.dram()) continue;
      boot[t] = space_.boot[t];
      if (port_ < end_) occupy(label, p_.dram(), ways(t) * boot[t]);
      label.energy += space_.boot_out[t] + space_.boot_in(t, s.level, space_.plots(t) - 1, s.psum);
    }
    Time latency = Rule::latency(label.times, boot);
    for (std::size_t k = port_; k < end_; ++k) latency = std::max(latency, label.more[k]);
    const Int128 total =
        claim_.with_energy() ? space_.units().total(label.energy, latency) : Int128{0};
    require(claim_.closes(latency, total), "the scheme has a better mapping");
  }

  const Space& space_;
  const Problem& p_;
  const Alone& alone_;
  const Claim& claim_;
  const bool mirror_alike_;
  Work& work_;
  std::vector<Cell> cells_;
  std::vector<View> views_;
  View now_;
  bool planes_begun_ = false;
  L lowest_;
  std::vector<std::size_t> bounded_;               // levels that tensors share, with a size
  std::array<int, kMostLevels> shared_{}, bus_{};  // places in a label, or -1
  std::size_t port_ = 0, end_ = 0;                 // of the numbers of ports in a label
};

template <class Rule>
void follow_nests(const Space& space, const Alone& alone, const Claim& claim, bool mirror_alike,
                  Work& work) {
  const Problem& p = space.problem();
  std::size_t more = p.contention == Contention::none ? 0 : 1;
  for (const Level& level : p.levels) {
    if (level.size && level.stores[0] + level.stores[1] + level.stores[2] > 1) ++more;
    if (p.contention == Contention::bus) ++more;
  }
  if (more <= 1) return Nests<Rule, 1>(space, alone, claim, mirror_alike, work).run();
  Nests<Rule, 2 * kMostLevels + 1>(space, alone, claim, mirror_alike, work).run();
}

}  // namespace

void follow_all(const Space& space, const Alone& alone, const Claim& claim, bool mirror_alike,
                Work& work) {
  ++work.schemes;
  switch (space.problem().semantics) {
    case Semantics::recursion:
      return follow_nests<RecursionRule>(space, alone, claim, mirror_alike, work);
    case Semantics::table3: return follow_nests<TableRule>(space, alone, claim, mirror_alike, work);
    case Semantics::simulator:
      return follow_nests<FloorRule>(space, alone, claim, mirror_alike, work);
  }
}

void check_only(const Space& space, const Claim& claim) {
  const Problem& p = space.problem();
  const auto& boot = space.boot;
  const Time product = space.units().product;
  Time latency = product;
  if (p.semantics == Semantics::recursion) {
    latency += std::max({boot[0], boot[1], boot[2]}) + boot[2];
  } else if (p.semantics == Semantics::table3) {
    latency += std::max({boot[0], boot[1], 2 * boot[2]});
  }
  Time bus = 0;
  for (std::size_t t = 0; t < 3 && p.contention != Contention::none; ++t) {
    bus += ways(t) * boot[t];
    latency = std::max(latency, ways(t) * boot[t]);
  }
  if (p.contention == Contention::bus) latency = std::max(latency, bus);
  Energy dynamic = space.activations();
  for (std::size_t t = 0; t < 3; ++t) dynamic += space.boot_out[t] + space.charged(t);
  const Int128 total = claim.with_energy() ? space.units().total(dynamic, latency) : Int128{0};
  require(claim.closes(latency, total), "the scheme has a better mapping");
}

}  // namespace pimbb_check::cim
