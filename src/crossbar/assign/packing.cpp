// Depth-first search over the contents of the next core, maximal ones only.
#include "crossbar/assign/packing.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "crossbar/assign/core_time.hpp"
#include "crossbar/partition/placement.hpp"
#include "exact/int128.hpp"

namespace pimbb::crossbar::assign {
namespace {

using Counts = std::vector<std::int64_t>;

struct Kind {  // of array groups
  std::size_t array = 0;
  std::int64_t width = 1;
  std::int64_t cycles = 1;
};

class CoreByCore {
 public:
  /// Array groups of `replication`, with the cycles of `fastest`.
  CoreByCore(const Problem& problem, const std::vector<std::int64_t>& replication,
             const std::vector<std::int64_t>& fastest, std::optional<std::int64_t> deadline,
             Effort& effort, const Trace& trace)
      : problem_(problem), deadline_(deadline), effort_(effort), trace_(trace) {
    const std::vector<std::int64_t> r = problem.by_array(replication);
    const std::vector<std::int64_t> fast = problem.by_array(fastest);
    for (std::size_t v = 0; v < r.size(); ++v) {
      const ArrayNode& array = problem.p.arrays[v];
      kinds_.push_back({v, array.width, partition::cycles(array, fast[v])});
    }
    // wide ones first, then those that run long
    std::ranges::stable_sort(kinds_, [](const Kind& x, const Kind& y) {
      return x.width != y.width ? x.width > y.width : x.cycles > y.cycles;
    });
    for (const Kind& kind : kinds_)
      left_.push_back(problem.p.arrays[kind.array].groups * r[kind.array]);
    by_cycles_.resize(kinds_.size());
    std::iota(by_cycles_.begin(), by_cycles_.end(), std::size_t{0});
    std::ranges::stable_sort(by_cycles_, [&](std::size_t i, std::size_t j) {
      return kinds_[i].cycles > kinds_[j].cycles;
    });
  }

  Packed run() {
    Packed packed;
    packed.answer = fill(0);
    if (packed.answer != Answer::yes) return packed;
    for (const Counts& content : chosen_) {
      std::vector<Share>& core = packed.cores.emplace_back();
      for (std::size_t i = 0; i < kinds_.size(); ++i) {
        if (content[i] > 0) core.push_back({kinds_[i].array, content[i]});
      }
      std::ranges::sort(core, {}, &Share::array);
    }
    packed.cores.resize(static_cast<std::size_t>(problem_.cores));
    return packed;
  }

 private:
  void tell(const std::string& record) const {
    if (trace_) trace_(record);
  }

  /// What the remaining cores have too little of altogether: "r", room, or "t", time; or "".
  [[nodiscard]] std::string too_much(std::int64_t cores) const {
    Int128 crossbars = 0;
    Int128 products = 0;
    for (std::size_t i = 0; i < kinds_.size(); ++i) {
      crossbars += Int128{left_[i]} * kinds_[i].width;
      products += Int128{left_[i]} * kinds_[i].cycles;
    }
    if (crossbars > Int128{cores} * problem_.crossbars) return "r";
    if (!deadline_) return "";
    return products > Int128{cores} * (*deadline_ / problem_.a.mvm.interval) ? "t" : "";
  }

  Answer fill(std::int64_t core) {
    const auto first = std::ranges::find_if(left_, [](std::int64_t n) { return n > 0; });
    if (first == left_.end()) return Answer::yes;
    if (const std::string lack = too_much(problem_.cores - core); !lack.empty()) {
      tell(lack);
      return Answer::no;
    }
    Counts state = left_;
    state.push_back(core);
    if (const auto known = failed_.find(state); known != failed_.end()) {
      tell("d " + std::to_string(known->second));
      return Answer::no;
    }
    tell("c");
    const std::uint64_t number = states_++;
    Content content{Counts(kinds_.size(), 0), problem_.crossbars, problem_.a.core.max_nodes};
    const auto i = static_cast<std::size_t>(first - left_.begin());
    const Answer answer = choose(i, i, core, content);
    if (answer == Answer::no) remember(std::move(state), number);
    return answer;
  }

  void remember(Counts state, std::uint64_t number) {
    const std::uint64_t bytes = 104 + 8 * state.size();
    if (bytes_ + bytes > effort_.most_bytes) return;
    bytes_ += bytes;
    effort_.bytes = std::max(effort_.bytes, bytes_);
    failed_.emplace(std::move(state), number);
  }

  struct Content {
    Counts groups;
    std::int64_t room;   // crossbars
    std::int64_t nodes;  // that may be added
  };

  [[nodiscard]] bool in_time(const Content& content) const {
    if (!deadline_) return true;
    CoreTime time(problem_.a.mvm);
    for (const std::size_t i : by_cycles_) time.add(content.groups[i], kinds_[i].cycles);
    return time.take() <= *deadline_;
  }

  /// The most array groups of kind `i` that may be added to a core without any of them.
  [[nodiscard]] std::int64_t most(std::size_t i, const Content& content) const {
    if (content.nodes == 0) return 0;
    std::int64_t high = std::min(left_[i], content.room / kinds_[i].width);
    std::int64_t low = 0;
    Content with = content;
    while (low < high) {
      const std::int64_t middle = high - (high - low) / 2;
      with.groups[i] = middle;
      if (in_time(with)) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  /// One more array group of some kind that is left could be added.
  [[nodiscard]] bool is_maximal(const Content& content) const {
    for (std::size_t i = 0; i < kinds_.size(); ++i) {
      if (content.groups[i] == left_[i] || kinds_[i].width > content.room) continue;
      if (content.groups[i] == 0 && content.nodes == 0) continue;
      Content more = content;
      ++more.groups[i];
      if (in_time(more)) return false;
    }
    return true;
  }

  /// Chooses the array groups of kind `i` and all further ones, most first.
  Answer choose(std::size_t i, std::size_t first, std::int64_t core, Content& content) {
    if (effort_.exhausted()) return Answer::undecided;
    effort_.spend();
    if (i == kinds_.size()) return is_maximal(content) ? take(core, content) : Answer::no;
    if (left_[i] == 0) return choose(i + 1, first, core, content);
    const std::int64_t room = content.room;
    const std::int64_t nodes = content.nodes;
    Answer answer = Answer::no;
    for (std::int64_t n = most(i, content); n >= (i == first ? 1 : 0); --n) {
      content.groups[i] = n;
      content.room = room - n * kinds_[i].width;
      content.nodes = nodes - (n > 0 ? 1 : 0);
      const Answer below = choose(i + 1, first, core, content);
      if (below == Answer::yes) return below;
      if (below == Answer::undecided) answer = below;
      if (below == Answer::undecided && effort_.exhausted()) break;
    }
    content.groups[i] = 0;
    content.room = room;
    content.nodes = nodes;
    return answer;
  }

  Answer take(std::int64_t core, const Content& content) {
    for (std::size_t i = 0; i < kinds_.size(); ++i) left_[i] -= content.groups[i];
    chosen_.push_back(content.groups);
    const Answer answer = fill(core + 1);
    if (answer == Answer::yes) return answer;
    chosen_.pop_back();
    for (std::size_t i = 0; i < kinds_.size(); ++i) left_[i] += content.groups[i];
    return answer;
  }

  const Problem& problem_;
  std::optional<std::int64_t> deadline_;
  Effort& effort_;
  const Trace& trace_;
  std::vector<Kind> kinds_;
  std::vector<std::size_t> by_cycles_;
  Counts left_;
  std::vector<Counts> chosen_;
  std::map<Counts, std::uint64_t> failed_;  // states, with their numbers
  std::uint64_t states_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace

Packed pack(const Problem& problem, const std::vector<std::int64_t>& replication,
            std::optional<std::int64_t> deadline, Effort& effort, const Trace& trace) {
  return CoreByCore(problem, replication, replication, deadline, effort, trace).run();
}

Answer pack_least(const Problem& problem, const std::vector<std::int64_t>& least,
                  const std::vector<std::int64_t>& most, std::optional<std::int64_t> deadline,
                  Effort& effort, const Trace& trace) {
  return CoreByCore(problem, least, most, deadline, effort, trace).run().answer;
}

}  // namespace pimbb::crossbar::assign
