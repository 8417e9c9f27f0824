// The contents of a core are counted like the digits of a number: the last digit that can be
// lowered is, and those behind it become as large as they may.
#include "packing.hpp"

#include <algorithm>
#include <map>

namespace pimbb_check::crossbar {
namespace {

constexpr std::int64_t kMostCores = 4096;  // that are followed

struct Kind {  // of array groups
  std::size_t array;
  std::int64_t width, cycles;
};

struct Frame {
  const Problem& p;
  std::vector<Kind> kinds;  // wide ones first, then those of most cycles
  std::optional<std::int64_t> deadline;
};

/// The contents of a core out of what is left, with one array group of the first kind at least.
class Contents {
 public:
  Contents(const Frame& frame, const Counts& left)
      : frame_(frame), left_(left), held_(left.size(), 0) {
    while (left_[first_] == 0) ++first_;
    fill(first_);
    valid_ = held_[first_] > 0;
    if (valid_ && !complete()) next();
  }

  [[nodiscard]] bool valid() const { return valid_; }
  [[nodiscard]] const Counts& held() const { return held_; }

  /// To the next content that nothing can be added to.
  void next() {
    do {
      valid_ = lower();
    } while (valid_ && !complete());
  }

 private:
  [[nodiscard]] bool admissible() const {
    Int128 used = 0;
    std::int64_t nodes = 0;
    std::vector<std::pair<std::int64_t, std::int64_t>> work;
    for (std::size_t i = 0; i < held_.size(); ++i) {
      if (held_[i] == 0) continue;
      used += Int128{held_[i]} * frame_.kinds[i].width;
      ++nodes;
      work.emplace_back(frame_.kinds[i].cycles, held_[i]);
    }
    if (used > frame_.p.crossbars || nodes > frame_.p.max_nodes) return false;
    return !frame_.deadline || core_time(frame_.p, std::move(work)) <= *frame_.deadline;
  }
  [[nodiscard]] bool admits_another(std::size_t i) {
    if (held_[i] == left_[i]) return false;
    ++held_[i];
    const bool admits = admissible();
    --held_[i];
    return admits;
  }
  [[nodiscard]] bool complete() {
    for (std::size_t i = 0; i < held_.size(); ++i) {
      if (admits_another(i)) return false;
    }
    return true;
  }
  void fill(std::size_t from) {
    for (std::size_t i = from; i < held_.size(); ++i) {
      while (admits_another(i)) ++held_[i];
    }
  }
  bool lower() {
    for (std::size_t i = held_.size(); i-- > first_;) {
      if (held_[i] > (i == first_ ? 1 : 0)) {
        --held_[i];
        fill(i + 1);
        return true;
      }
      held_[i] = 0;
    }
    return false;
  }

  const Frame& frame_;
  const Counts& left_;
  Counts held_;
  std::size_t first_ = 0;
  bool valid_ = false;
};

class Follower {
 public:
  Follower(Frame frame, Lines& lines, PackingWork& work)
      : frame_(std::move(frame)), lines_(lines), work_(work) {}

  void follow(Counts left, std::int64_t cores) {
    const std::string& line = lines_.next();
    require(std::ranges::any_of(left, [](std::int64_t n) { return n > 0; }),
            "everything is packed");
    if (line == "r") {
      return require(needs(left, &Kind::width) > Int128{cores} * frame_.p.crossbars,
                     "there is room for what is left");
    }
    if (line == "t") {
      require(frame_.deadline.has_value(), "there is no deadline");
      const Int128 most = Int128{cores} * (*frame_.deadline / frame_.p.interval);
      return require(needs(left, &Kind::cycles) > most, "there is time for what is left");
    }
    Counts state = left;
    state.push_back(cores);
    if (line.starts_with("d ")) {
      const char* at = line.c_str() + 2;
      const std::int64_t number = plain_number(at);
      const auto known = refuted_.find(state);
      return require(*at == '\0' && known != refuted_.end() && known->second == number,
                     "this state has not been refuted");
    }
    require(line == "c", "an unknown record of a packing");
    require(cores > 0, "no cores are left");
    require(cores <= kMostCores, "too many cores to follow");
    const std::int64_t number = next_++;
    ++work_.states;
    for (Contents content(frame_, left); content.valid(); content.next()) {
      ++work_.contents;
      Counts rest = left;
      for (std::size_t i = 0; i < rest.size(); ++i) rest[i] -= content.held()[i];
      follow(std::move(rest), cores - 1);
    }
    refuted_.emplace(std::move(state), number);
  }

 private:
  [[nodiscard]] Int128 needs(const Counts& left, std::int64_t Kind::*each) const {
    Int128 sum = 0;
    for (std::size_t i = 0; i < left.size(); ++i) sum += Int128{left[i]} * (frame_.kinds[i].*each);
    return sum;
  }

  Frame frame_;
  Lines& lines_;
  PackingWork& work_;
  std::map<Counts, std::int64_t> refuted_;  // what was left, and for how many cores
  std::int64_t next_ = 0;
};

}  // namespace

void follow_packing(const Problem& p, const ToPack& what, std::optional<std::int64_t> deadline,
                    Lines& lines, PackingWork& work) {
  Frame frame{p, {}, deadline};
  for (std::size_t v = 0; v < p.arrays.size(); ++v) {
    const Array& array = p.arrays[v];
    frame.kinds.push_back({v, array.width, ceil_div(array.windows, what.cycles_of[array.family])});
  }
  std::ranges::stable_sort(frame.kinds, [](const Kind& x, const Kind& y) {
    return x.width != y.width ? x.width > y.width : x.cycles > y.cycles;
  });
  Counts left;
  for (const Kind& kind : frame.kinds) {
    const Array& array = p.arrays[kind.array];
    left.push_back(times(array.groups, what.replicas[array.family]));
  }
  Follower(std::move(frame), lines, work).follow(std::move(left), p.cores);
}

}  // namespace pimbb_check::crossbar
