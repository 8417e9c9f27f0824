// The boxes of both goals: a stack of those whose records are still to come.
#include "boxes.hpp"

#include <algorithm>
#include <utility>

#include "latency.hpp"

namespace pimbb_check::crossbar {
namespace {

struct Box {
  Counts least, most;  // by family
};

Int128 crossbars_of(const Problem& p, const Counts& replication) {
  Int128 sum = 0;
  for (std::size_t f = 0; f < p.families.size(); ++f) {
    sum += p.families[f].crossbars * replication[f];
  }
  return sum;
}

bool is_empty(const Box& box) {
  for (std::size_t f = 0; f < box.least.size(); ++f) {
    if (box.least[f] > box.most[f]) return true;
  }
  return false;
}

Box all_replications(const Problem& p) {
  Box box;
  for (const Family& family : p.families) {
    box.least.push_back(1);
    box.most.push_back(family.windows);
  }
  return box;
}

/// The word of a record as a number.
std::int64_t word_number(const std::string& word) {
  const char* at = word.c_str();
  const std::int64_t value = plain_number(at);
  require(*at == '\0', "a number is wanted");
  return value;
}

/// "split FAMILY R": at most R, and more; the first one is on top of the stack then.
void split(std::vector<Box>& open, const Box& box, const std::vector<std::string>& words) {
  require(words.size() == 3, "'split FAMILY REPLICATION' is wanted");
  const auto f = static_cast<std::size_t>(word_number(words[1]));
  const std::int64_t r = word_number(words[2]);
  require(f < box.least.size() && box.least[f] <= r && r < box.most[f],
          "a box is not divided by this");
  open.push_back(box);
  open.back().least[f] = r + 1;
  open.push_back(box);
  open.back().most[f] = r;
}

// --- ht

class ThroughputTree {
 public:
  ThroughputTree(const Problem& p, std::optional<std::int64_t> deadline, Lines& lines,
                 TreeWork& work)
      : p_(p), deadline_(deadline), lines_(lines), work_(work) {}

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
        count(box, words);
      }
    }
  }

 private:
  /// A node that is at work for g cycles takes g multiplications' time at least.
  void tighten(Box& box) const {
    if (!deadline_) return;
    const std::int64_t cycles = *deadline_ / p_.time;
    for (std::size_t f = 0; f < box.least.size(); ++f) {
      const Family& family = p_.families[f];
      if (cycles == 0) {
        box.most[f] = 0;
        continue;
      }
      box.least[f] = std::max(box.least[f], ceil_div(family.windows, cycles));
      const Int128 room = p_.all_crossbars() / family.crossbars;
      if (room < box.most[f]) box.most[f] = static_cast<std::int64_t>(room);
    }
  }

  /// Least multiplications of an array group of each replica, idle ones included.
  [[nodiscard]] std::int64_t least_work(const Family& family, std::int64_t least,
                                        std::int64_t most) const {
    std::int64_t best = INT64_MAX;
    for (std::int64_t r = least; r <= most;) {
      const std::int64_t cycles = ceil_div(family.windows, r);
      best = std::min(best, times(r, cycles));
      if (cycles == 1) break;
      r = ceil_div(family.windows, cycles - 1);
    }
    return best;
  }

  void count(const Box& box, const std::vector<std::string>& words) {
    ++work_.by_count;
    if (words[0] == "empty" && words.size() == 1) {
      return require(is_empty(box), "the box is not empty");
    }
    require(!is_empty(box), "the box is empty");
    if (words[0] == "room" && words.size() == 1) {
      return require(crossbars_of(p_, box.least) > p_.all_crossbars(), "the box has room");
    }
    if (words[0] == "load" && words.size() == 1) {
      return require(takes_more(work_of(box, 0, INT64_MAX), p_.cores),
                     "the cores have time for the box");
    }
    require(words[0] == "wide" && words.size() == 2, "an unknown record of a box");
    const std::int64_t width = word_number(words[1]);
    require(width >= 1 && width <= p_.crossbars, "a width is out of range");
    require(is_exclusive(width), "a narrow array group fits beside wide ones");
    // A core holds k wide ones at most, and then nothing else.
    Int128 count = 0;
    for (const Array& array : p_.arrays) {
      if (array.width >= width) count += Int128{array.groups} * box.least[array.family];
    }
    const Int128 most = p_.crossbars / width;
    const Int128 free = std::min<Int128>(p_.cores, most * p_.cores - count);
    require(free < 0 || takes_more(work_of(box, 0, width), free) ||
                room_of_narrow(box, width) > free * p_.crossbars,
            "the cores that are left to narrow nodes have room and time for them");
  }

  /// So many multiplications do not start in these cores before the deadline.
  [[nodiscard]] bool takes_more(Int128 work, Int128 cores) const {
    return deadline_ && work > cores * (*deadline_ / p_.interval);
  }

  [[nodiscard]] bool is_exclusive(std::int64_t width) const {
    const std::int64_t left = p_.crossbars % width;
    return std::ranges::all_of(
        p_.arrays, [&](const Array& array) { return array.width >= width || array.width > left; });
  }

  [[nodiscard]] Int128 room_of_narrow(const Box& box, std::int64_t width) const {
    Int128 sum = 0;
    for (const Array& array : p_.arrays) {
      if (array.width < width) {
        sum += Int128{array.groups} * array.width * box.least[array.family];
      }
    }
    return sum;
  }

  /// Multiplications of the array nodes of least <= width < most.
  [[nodiscard]] Int128 work_of(const Box& box, std::int64_t least, std::int64_t most) const {
    Int128 sum = 0;
    for (std::size_t f = 0; f < p_.families.size(); ++f) {
      const Family& family = p_.families[f];
      Int128 groups = 0;
      for (const std::size_t v : family.arrays) {
        const Array& array = p_.arrays[v];
        if (array.width >= least && array.width < most) groups += array.groups;
      }
      if (groups > 0) sum += groups * least_work(family, box.least[f], box.most[f]);
    }
    return sum;
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
    follow_packing(p_, box.least, deadline_, lines_, work_.packing);
  }

  const Problem& p_;
  std::optional<std::int64_t> deadline_;  // ns
  Lines& lines_;
  TreeWork& work_;
};

// --- ll

class LatencyTree {
 public:
  LatencyTree(const Problem& p, Rational bound, Lines& lines, TreeWork& work)
      : p_(p), latency_(p), bound_(std::move(bound)), lines_(lines), work_(work) {}

  void run() {
    std::vector<Box> open{all_replications(p_)};
    while (!open.empty()) {
      Box box = std::move(open.back());
      open.pop_back();
      ++work_.boxes;
      tighten(box);
      std::vector<std::string> words = next_record();
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
      cuts_.push_back(latency_.cut({words.begin() + 1, words.end()}));
    }
  }

  /// What has no room beside the least of the others; then what is of no use.
  void tighten(Box& box) const {
    const Int128 free = p_.all_crossbars() - crossbars_of(p_, box.least);
    if (free < 0) return;
    for (std::size_t f = 0; f < box.most.size(); ++f) {
      const Int128 more = free / p_.families[f].crossbars;
      if (more < box.most[f] - box.least[f]) {
        box.most[f] = box.least[f] + static_cast<std::int64_t>(more);
      }
    }
    if (!is_empty(box)) box.most = latency_.useful(box.most);
  }

  void close(const Box& box, const std::vector<std::string>& words) {
    const bool alone = words.size() == 1;
    if (words[0] == "empty" && alone) {
      ++work_.by_count;
      return require(is_empty(box), "the box is not empty");
    }
    if (words[0] == "room" && alone) {
      ++work_.by_count;
      return require(crossbars_of(p_, box.least) > p_.all_crossbars(), "the box has room");
    }
    require(!is_empty(box), "the box is empty");
    if (words[0] == "slow" && alone) {
      ++work_.by_value;
      return require(latency_.value(box.most) >= bound_, "the box has a faster replication");
    }
    if (words[0] == "mix" && words.size() > 2) {
      ++work_.by_mix;
      return require(mixed(box, words) >= bound_, "the mix of cuts bounds the box too low");
    }
    require(words[0] == "pack" && alone, "an unknown record of a box");
    ++work_.packings;
    follow_packing(p_, box.least, std::nullopt, lines_, work_.packing);
  }

  /// "mix PRICE CUT:SHARE ...": shares of 2^20, which are 2^20 together at most, and a price of a
  /// crossbar, in units of 2^-40 ns. For each family, weight/R + price * crossbars * R is least
  /// next to the root of weight / (price * crossbars).
  [[nodiscard]] Rational mixed(const Box& box, const std::vector<std::string>& words) const {
    const Rational given = parse_rational(words[1]);
    require(denominator(given) == 1, "a price is an integer");
    const cpp_int price = numerator(given);
    std::vector<cpp_int> weights(p_.families.size(), 0);
    std::int64_t all = 0;
    for (std::size_t i = 2; i < words.size(); ++i) {
      const std::size_t colon = std::min(words[i].find(':'), words[i].size() - 1);
      const auto k = static_cast<std::size_t>(word_number(words[i].substr(0, colon)));
      const std::int64_t share = word_number(words[i].substr(colon + 1));
      require(k < cuts_.size(), "a cut that is not known");
      all += share;
      require(all <= std::int64_t{1} << kCutBits, "the shares of cuts are more than one");
      for (std::size_t f = 0; f < weights.size(); ++f) weights[f] += cuts_[k][f] * share;
    }
    cpp_int sum = -price * cpp_int(p_.all_crossbars());
    for (std::size_t f = 0; f < weights.size(); ++f) {
      sum += least_of(weights[f], price * cpp_int(p_.families[f].crossbars), box.least[f],
                      box.most[f]);
    }
    return {sum, cpp_int(1) << (2 * kCutBits)};
  }

  /// min over R in least .. most of floor(weight / R) + cost * R.
  [[nodiscard]] static cpp_int least_of(const cpp_int& weight, const cpp_int& cost,
                                        std::int64_t least, std::int64_t most) {
    const auto at = [&](std::int64_t r) { return cpp_int(weight / r + cost * r); };
    if (cost == 0) return at(most);
    const cpp_int root = sqrt(cpp_int(weight / cost));
    const std::int64_t low = root > most ? most : std::max(least, root.convert_to<std::int64_t>());
    return std::min(at(low), at(std::min(low + 1, most)));
  }

  const Problem& p_;
  const Latency latency_;
  const Rational bound_;
  Lines& lines_;
  TreeWork& work_;
  std::vector<std::vector<cpp_int>> cuts_;  // weights by family, in units of 2^-20 ns
};

}  // namespace

void check_throughput_tree(const Problem& p, const Rational& bound, Lines& lines, TreeWork& work) {
  require(denominator(bound) == 1, "a bound of ht is no integer");
  const auto value = narrow<std::int64_t>(numerator(bound));
  require(value > 0, "a bound of zero needs no proof");
  // Every time of a core is a multiple of the quantum.
  const std::int64_t deadline = (ceil_div(value, p.quantum()) - 1) * p.quantum();
  ThroughputTree(p, deadline, lines, work).run(all_replications(p));
}

void check_infeasible(const Problem& p, Lines& lines, TreeWork& work) {
  const Counts ones(p.families.size(), 1);
  ThroughputTree(p, std::nullopt, lines, work).run({ones, ones});
}

void check_latency_tree(const Problem& p, const Rational& bound, Lines& lines, TreeWork& work) {
  LatencyTree(p, bound, lines, work).run();
}

}  // namespace pimbb_check::crossbar
