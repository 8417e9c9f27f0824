// Rests are numbers of mixed radix, one digit for each node.
#include "crossbar/answers/mapping_count.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <vector>

#include "crossbar/assign/core_time.hpp"
#include "crossbar/partition/placement.hpp"
#include "exact/int128.hpp"

namespace pimbb::crossbar::classes {
namespace {

constexpr std::uint64_t kStepsBetweenStops = 4096;

class MappingCount {
 public:
  MappingCount(const assign::Problem& problem, const Replication& replication,
               std::optional<std::int64_t> deadline, std::uint64_t most, CountEffort& effort)
      : problem_(problem),
        deadline_(deadline),
        left_(std::min(most, effort.left)),
        effort_(effort) {
    const std::vector<std::int64_t> r = problem.by_array(replication);
    for (std::size_t v = 0; v < r.size(); ++v) {
      const ArrayNode& array = problem.p.arrays[v];
      nodes_.push_back({array.groups * r[v], array.width, partition::cycles(array, r[v])});
    }
    by_cycles_.resize(nodes_.size());
    std::iota(by_cycles_.begin(), by_cycles_.end(), std::size_t{0});
    std::ranges::stable_sort(by_cycles_, [&](std::size_t i, std::size_t j) {
      return nodes_[i].cycles > nodes_[j].cycles;
    });
    now_.resize(nodes_.size(), 0);
  }

  std::optional<Rational> run() {
    const std::uint64_t before = left_;
    std::optional<Rational> count;
    if (set_places() && add_contents(0, problem_.crossbars, problem_.a.core.max_nodes)) {
      count = core_by_core();
    }
    effort_.left -= before - left_;
    return count;
  }

 private:
  struct Node {
    std::int64_t groups = 0;  // array groups of all replicas
    std::int64_t width = 1;
    std::int64_t cycles = 1;
    std::uint64_t place = 1;  // of its digit
  };
  struct Content {
    std::vector<std::int64_t> groups;
    std::uint64_t number = 0;
    std::int64_t crossbars = 0;
  };
  using Ways = std::unordered_map<std::uint64_t, Rational>;  // by rest

  /// False if rests have more than 62 bits.
  bool set_places() {
    UInt128 place = 1;
    for (Node& node : nodes_) {
      node.place = static_cast<std::uint64_t>(place);
      place *= static_cast<UInt128>(node.groups) + 1;
      if (place >= UInt128{1} << 62) return false;
      rest_of_all_ += node.place * static_cast<std::uint64_t>(node.groups);
    }
    return true;
  }

  bool spend() {
    if (left_ == 0) return false;
    --left_;
    if (left_ % kStepsBetweenStops == 0 && effort_.stop && effort_.stop()) left_ = 0;
    return left_ > 0;
  }

  [[nodiscard]] bool in_time() const {
    if (!deadline_) return true;
    assign::CoreTime time(problem_.a.mvm);
    for (const std::size_t v : by_cycles_) time.add(now_[v], nodes_[v].cycles);
    return time.take() <= *deadline_;
  }

  /// All contents of a core; false if there are too many. More array groups never take less time.
  bool add_contents(std::size_t v, std::int64_t room, std::int64_t more_nodes) {
    if (!spend()) return false;
    if (v == nodes_.size()) {
      Content content{now_, 0, problem_.crossbars - room};
      for (std::size_t u = 0; u < v; ++u) {
        content.number += nodes_[u].place * static_cast<std::uint64_t>(now_[u]);
      }
      contents_.push_back(std::move(content));
      return true;
    }
    const Node& node = nodes_[v];
    const std::int64_t most = more_nodes == 0 ? 0 : std::min(node.groups, room / node.width);
    bool is_complete = true;
    for (std::int64_t n = 0; n <= most && is_complete; ++n) {
      now_[v] = n;
      if (!in_time()) break;
      is_complete = add_contents(v + 1, room - n * node.width, more_nodes - (n > 0 ? 1 : 0));
    }
    now_[v] = 0;
    return is_complete;
  }

  [[nodiscard]] std::vector<std::int64_t> digits_of(std::uint64_t rest) const {
    std::vector<std::int64_t> digits;
    for (const Node& node : nodes_) {
      const auto base = static_cast<std::uint64_t>(node.groups) + 1;
      digits.push_back(static_cast<std::int64_t>(rest / node.place % base));
    }
    return digits;
  }

  std::optional<Rational> core_by_core() {
    Ways ways{{rest_of_all_, Rational(1)}};
    for (std::int64_t cores = problem_.cores; cores > 0; --cores) {
      Ways next;
      for (const auto& [rest, count] : ways) {
        if (!fill(rest, count, cores - 1, next)) return std::nullopt;
      }
      ways = std::move(next);
    }
    const auto nothing_left = ways.find(0);
    return nothing_left == ways.end() ? Rational(0) : nothing_left->second;
  }

  /// Fills one core from what is left; `cores` are left after it.
  bool fill(std::uint64_t rest, const Rational& count, std::int64_t cores, Ways& next) {
    const std::vector<std::int64_t> left = digits_of(rest);
    Int128 crossbars = 0;
    for (std::size_t v = 0; v < left.size(); ++v) crossbars += Int128{left[v]} * nodes_[v].width;
    for (const Content& content : contents_) {
      if (!spend()) return false;
      if (crossbars - content.crossbars > Int128{cores} * problem_.crossbars) continue;
      const bool is_there = std::ranges::equal(
          content.groups, left, [](std::int64_t n, std::int64_t most) { return n <= most; });
      if (is_there) next[rest - content.number] += count;
    }
    return true;
  }

  const assign::Problem& problem_;
  std::optional<std::int64_t> deadline_;
  std::uint64_t left_;  // pairs
  CountEffort& effort_;
  std::vector<Node> nodes_;
  std::vector<std::size_t> by_cycles_;
  std::uint64_t rest_of_all_ = 0;
  std::vector<std::int64_t> now_;  // of the content that is being made
  std::vector<Content> contents_;
};

}  // namespace

std::optional<Rational> count_mappings(const assign::Problem& problem,
                                       const Replication& replication,
                                       std::optional<std::int64_t> deadline, std::uint64_t most,
                                       CountEffort& effort) {
  if (problem.a.core.enforce_local_memory) return std::nullopt;
  return MappingCount(problem, replication, deadline, most, effort).run();
}

}  // namespace pimbb::crossbar::classes
