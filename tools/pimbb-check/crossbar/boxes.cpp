// The boxes of both goals: a stack of those whose records are still to come.
#include "boxes.hpp"

#include <algorithm>
#include <utility>

#include "box.hpp"
#include "mixes.hpp"

namespace pimbb_check::crossbar {
namespace {

/// The last one before `ht`: every time of a core is a multiple of the quantum.
std::int64_t deadline_before(const Problem& p, const Rational& ht) {
  require(denominator(ht) == 1, "a bound of ht is no integer");
  const auto value = narrow<std::int64_t>(numerator(ht));
  require(value > 0, "a bound of zero needs no proof");
  return (ceil_div(value, p.quantum()) - 1) * p.quantum();
}

/// A node that is at work for g cycles takes g multiplications' time at least.
void tighten_by_cycles(const Problem& p, Box& box, std::int64_t deadline) {
  const std::int64_t cycles = deadline / p.time;
  for (std::size_t f = 0; f < box.least.size(); ++f) {
    if (cycles == 0) {
      box.most[f] = 0;
    } else {
      box.least[f] = std::max(box.least[f], ceil_div(p.families[f].windows, cycles));
    }
  }
}

// --- ht

class ThroughputTree {
 public:
  ThroughputTree(const Problem& p, std::optional<std::int64_t> deadline, Lines& lines,
                 TreeWork& work)
      : p_(p), deadline_(deadline), counting_(p, deadline), lines_(lines), work_(work) {}

  void run(Box root) {
    std::vector<Box> open{std::move(root)};
    while (!open.empty()) {
      Box box = std::move(open.back());
      open.pop_back();
      ++work_.boxes;
      tighten(box);
      lines_.next();
      const std::vector<std::string> words = lines_.words();
      if (words[0] == "split") {
        split(open, box, words);
      } else if (words[0] == "pack" && words.size() == 1) {
        pack(box);
      } else {
        ++work_.by_count;
        require(counting_.closes(box, words), "an unknown record of a box");
      }
    }
  }

 private:
  void tighten(Box& box) const {
    if (!deadline_) return;
    tighten_by_cycles(p_, box, *deadline_);
    for (std::size_t f = 0; f < box.least.size(); ++f) {
      const Int128 room = p_.all_crossbars() / p_.families[f].crossbars;
      if (room < box.most[f]) box.most[f] = static_cast<std::int64_t>(room);
    }
  }

  /// Of all replications of the same cycles the least one has fewest array groups.
  void pack(const Box& box) {
    require(!is_empty(box), "the box is empty");
    for (std::size_t f = 0; f < p_.families.size(); ++f) {
      const std::int64_t windows = p_.families[f].windows;
      require(ceil_div(windows, box.least[f]) == ceil_div(windows, box.most[f]),
              "a box of different cycles is packed");
    }
    ++work_.packings;
    follow_packing(p_, {box.least, box.least}, deadline_, lines_, work_.packing);
  }

  const Problem& p_;
  std::optional<std::int64_t> deadline_;  // ns
  const Counting counting_;
  Lines& lines_;
  TreeWork& work_;
};

// --- ll, and both

/// Of mappings with an `ll` below a bound; with a deadline, of those that meet it.
class LatencyTree {
 public:
  LatencyTree(const Problem& p, Rational bound, std::optional<std::int64_t> deadline, Lines& lines,
              TreeWork& work)
      : p_(p),
        latency_(p),
        bound_(std::move(bound)),
        deadline_(deadline),
        counting_(p, deadline),
        mixes_(p, latency_, counting_),
        lines_(lines),
        work_(work) {}

  void run() {
    std::vector<Box> open{all_replications(p_)};
    while (!open.empty()) {
      Box box = std::move(open.back());
      open.pop_back();
      ++work_.boxes;
      tighten(box);
      const std::vector<std::string> words = next_record();
      if (words[0] == "split") {
        split(open, box, words);
      } else {
        close(box, words);
      }
    }
  }

 private:
  /// The next record that is no cut.
  std::vector<std::string> next_record() {
    while (true) {
      lines_.next();
      std::vector<std::string> words = lines_.words();
      if (words[0] != "cut") return words;
      mixes_.add_cut(words);
    }
  }

  /// What is too slow or has no room beside the least of the others; then what is of no use.
  void tighten(Box& box) const {
    if (deadline_) tighten_by_cycles(p_, box, *deadline_);
    const Int128 free = p_.all_crossbars() - crossbars_of(p_, box.least);
    if (is_empty(box) || free < 0) return;
    for (std::size_t f = 0; f < box.most.size(); ++f) {
      const Int128 more = free / p_.families[f].crossbars;
      if (more < box.most[f] - box.least[f]) {
        box.most[f] = box.least[f] + static_cast<std::int64_t>(more);
      }
    }
    const Counts useful = latency_.useful(box.most);
    if (deadline_) {
      drop_useless_classes(box, useful);
    } else {
      box.most = useful;
    }
  }

  /// More replicas than are of use for `ll` may still be of use for the deadline, because a node
  /// with fewer has more cycles: but then only the fewest of their number of cycles are. A mapping
  /// with others has one with fewer replicas, the same `ll` and no greater `ht`.
  void drop_useless_classes(Box& box, const Counts& useful) const {
    for (std::size_t f = 0; f < box.most.size(); ++f) {
      const std::int64_t windows = p_.families[f].windows;
      if (box.most[f] <= useful[f]) continue;
      box.most[f] = std::max(useful[f], least_of_class(windows, box.most[f]));
      const bool fewest = least_of_class(windows, box.least[f]) == box.least[f];
      if (box.least[f] > useful[f] && !fewest) box.least[f] = next_class(windows, box.least[f]);
    }
  }

  void close(const Box& box, const std::vector<std::string>& words) {
    if (counting_.closes(box, words)) {
      ++work_.by_count;
      return;
    }
    if (words[0] == "slow" && words.size() == 1) {
      ++work_.by_value;
      return require(latency_.value(box.most) >= bound_, "the box has a faster replication");
    }
    if (words[0] == "mix" && words.size() > 2) {
      ++work_.by_mix;
      return require(mixes_.mix(box, words) >= bound_, "the mix of cuts bounds the box too low");
    }
    if (words[0] == "prices" && words.size() > 4) {
      require(deadline_.has_value(), "there is no deadline");
      ++work_.by_mix;
      return require(mixes_.prices(box, words) >= bound_, "the prices bound the box too low");
    }
    require(words[0] == "pack" && words.size() == 1, "an unknown record of a box");
    ++work_.packings;
    follow_packing(p_, {box.least, deadline_ ? box.most : box.least}, deadline_, lines_,
                   work_.packing);
  }

  const Problem& p_;
  const Latency latency_;
  const Rational bound_;                  // ns
  std::optional<std::int64_t> deadline_;  // ns
  const Counting counting_;
  Mixes mixes_;
  Lines& lines_;
  TreeWork& work_;
};

std::string count(std::uint64_t number, const std::string& what) {
  return std::to_string(number) + " " + what;
}

}  // namespace

std::vector<std::string> TreeWork::described() const {
  return {count(boxes, "boxes: ") + count(by_count, "closed by counting, ") +
          count(by_mix, "by a mix of cuts, ") + count(by_value, "by their best value, ") +
          count(packings, "by packings (") + count(packing.states, "states, ") +
          count(packing.contents, "contents of cores), 0 assumed")};
}

void check_throughput_tree(const Problem& p, const Rational& bound, Lines& lines, TreeWork& work) {
  ThroughputTree(p, deadline_before(p, bound), lines, work).run(all_replications(p));
}

void check_infeasible(const Problem& p, Lines& lines, TreeWork& work) {
  const Counts ones(p.families.size(), 1);
  ThroughputTree(p, std::nullopt, lines, work).run({ones, ones});
}

void check_latency_tree(const Problem& p, const Rational& bound, Lines& lines, TreeWork& work) {
  LatencyTree(p, bound, std::nullopt, lines, work).run();
}

void check_joint_tree(const Problem& p, const Rational& ht, const Rational& ll, Lines& lines,
                      TreeWork& work) {
  LatencyTree(p, ll, deadline_before(p, ht), lines, work).run();
}

}  // namespace pimbb_check::crossbar
