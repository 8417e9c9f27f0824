// The largest parts first, each to the core with the least: the rule of scheduling on equal
// machines. Then random exchanges of parts between two cores, one of them the slowest every other
// time, are made unless the slower of the two becomes slower.
#include "crossbar/assign/chunks.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <tuple>
#include <utility>

#include "crossbar/assign/core_time.hpp"
#include "crossbar/partition/placement.hpp"
#include "crossbar/partition/shares.hpp"
#include "exact/splitmix64.hpp"

namespace pimbb::crossbar::assign {
namespace {

constexpr std::size_t kExchangesEach = 200;     ///< tried, for each part
constexpr std::size_t kExchangesAtOnce = 1024;  ///< without asking whether to stop

/// Array groups of one replica that stay together.
struct Piece {
  std::size_t array = 0;
  std::int64_t groups = 0;
};

struct Holding {
  std::vector<Piece> pieces;
  std::vector<std::int64_t> held;  ///< pieces, by array
  std::int64_t nodes = 0;          ///< different ones
  std::int64_t free = 0;           ///< crossbars
  std::int64_t time = 0;           ///< ns, under `ht`
};

class Balancing {
 public:
  Balancing(const Problem& problem, std::vector<std::int64_t> replication)
      : problem_(problem), replication_(std::move(replication)), random_(1) {
    for (std::size_t v = 0; v < arrays().size(); ++v) {
      cycles_.push_back(partition::cycles(arrays()[v], replication_[v]));
    }
    levels_ = cycles_;
    std::ranges::sort(levels_, std::greater<>{});
    levels_.erase(std::unique(levels_.begin(), levels_.end()), levels_.end());
    for (const std::int64_t cycles : cycles_) {
      const auto level = std::ranges::find(levels_, cycles);
      level_.push_back(static_cast<std::size_t>(level - levels_.begin()));
    }
    groups_at_.assign(levels_.size(), 0);
    cores_.resize(static_cast<std::size_t>(problem.cores));
    for (Holding& core : cores_) {
      core.free = problem.crossbars;
      core.held.assign(arrays().size(), 0);
    }
  }

  std::optional<Mapping> run(std::int64_t chunks, std::size_t exchanges,
                             const std::function<bool()>& stop) && {
    for (const std::size_t v : in_order()) {
      if (stop()) return std::nullopt;
      const std::int64_t groups = arrays()[v].groups;
      const std::int64_t chunk = is_idle(v) ? 1 : ceil_div(groups, chunks);
      if (!place(v, chunk)) return std::nullopt;
    }
    const std::size_t tries = std::min(exchanges, kExchangesEach * pieces_);
    for (std::size_t i = 0; i < tries; ++i) {
      if (i % kExchangesAtOnce == 0 && stop()) return std::nullopt;
      exchange(i % 2 == 0);
    }
    return mapping();
  }

 private:
  [[nodiscard]] const std::vector<ArrayNode>& arrays() const { return problem_.p.arrays; }
  /// Takes room, but next to no time.
  [[nodiscard]] bool is_idle(std::size_t v) const { return arrays()[v].windows == 1; }
  [[nodiscard]] std::int64_t crossbars(const Piece& piece) const {
    return piece.groups * arrays()[piece.array].width;
  }

  /// Nodes of one window, then by decreasing work of a replica; wide ones first among equals.
  [[nodiscard]] std::vector<std::size_t> in_order() const {
    std::vector<std::size_t> order(arrays().size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto key = [&](std::size_t v) {
      return std::tuple(is_idle(v), arrays()[v].groups * cycles_[v], arrays()[v].width);
    };
    std::ranges::stable_sort(order, std::greater<>{}, key);
    return order;
  }

  /// All replicas of a node; false if they have no room.
  bool place(std::size_t v, std::int64_t chunk) {
    for (std::int64_t replica = 0; replica < replication_[v]; ++replica) {
      for (std::int64_t left = arrays()[v].groups; left > 0;) {
        const std::int64_t put = place_some(v, std::min(left, chunk));
        if (put == 0) return false;
        left -= put;
      }
    }
    return true;
  }

  /// So many array groups, or as many as the emptiest core has room for.
  std::int64_t place_some(std::size_t v, std::int64_t wanted) {
    const bool idle = is_idle(v);
    std::int64_t most_room = 0;
    for (const Holding& core : cores_) most_room = std::max(most_room, room(core, v));
    const Piece piece{v, std::min(wanted, most_room)};
    if (piece.groups == 0) return 0;
    Holding* best = nullptr;
    for (Holding& core : cores_) {
      if (room(core, v) < piece.groups) continue;
      if (best == nullptr || measure(core, idle) < measure(*best, idle)) best = &core;
    }
    add(*best, piece);
    best->time = time_of(best->pieces);
    ++pieces_;
    return piece.groups;
  }

  /// Array groups of the node that the core has room for.
  [[nodiscard]] std::int64_t room(const Holding& core, std::size_t v) const {
    const bool is_full = core.held[v] == 0 && core.nodes == problem_.a.core.max_nodes;
    return is_full ? 0 : core.free / arrays()[v].width;
  }

  [[nodiscard]] static std::pair<std::int64_t, std::int64_t> measure(const Holding& core,
                                                                     bool idle) {
    return idle ? std::pair(-core.free, core.time) : std::pair(core.time, -core.free);
  }

  std::int64_t time_of(const std::vector<Piece>& pieces) {
    for (const Piece& piece : pieces) groups_at_[level_[piece.array]] += piece.groups;
    CoreTime time(problem_.a.mvm);
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      time.add(std::exchange(groups_at_[i], 0), levels_[i]);
    }
    return time.take();
  }

  std::size_t below(std::size_t count) { return static_cast<std::size_t>(random_.below(count)); }

  /// One part of a core for none, one or two of another.
  void exchange(bool from_slowest) {
    const std::size_t from =
        from_slowest ? static_cast<std::size_t>(
                           std::ranges::max_element(cores_, {}, &Holding::time) - cores_.begin())
                     : below(cores_.size());
    const std::size_t to = below(cores_.size());
    if (from == to || cores_[from].pieces.empty()) return;
    one_ = cores_[from];
    other_ = cores_[to];
    const std::size_t back = std::min(below(3), other_.pieces.size());
    move_random(one_, other_);
    for (std::size_t i = 0; i < back; ++i) {  // not the one that has just come, the last
      std::swap(other_.pieces[below(other_.pieces.size() - 1)], other_.pieces.front());
      move_piece(other_, 0, one_);
    }
    if (!admits(one_) || !admits(other_)) return;
    const std::int64_t most = std::max(cores_[from].time, cores_[to].time);
    one_.time = time_of(one_.pieces);
    if (one_.time > most) return;
    other_.time = time_of(other_.pieces);
    if (other_.time > most) return;
    std::swap(cores_[from], one_);
    std::swap(cores_[to], other_);
  }

  void move_random(Holding& from, Holding& to) { move_piece(from, below(from.pieces.size()), to); }

  void move_piece(Holding& from, std::size_t i, Holding& to) const {
    const Piece piece = from.pieces[i];
    from.pieces.erase(from.pieces.begin() + static_cast<std::ptrdiff_t>(i));
    from.free += crossbars(piece);
    if (--from.held[piece.array] == 0) --from.nodes;
    add(to, piece);
  }

  void add(Holding& core, const Piece& piece) const {
    core.pieces.push_back(piece);
    core.free -= crossbars(piece);
    if (core.held[piece.array]++ == 0) ++core.nodes;
  }

  [[nodiscard]] bool admits(const Holding& core) const {
    return core.free >= 0 && core.nodes <= problem_.a.core.max_nodes;
  }

  [[nodiscard]] Mapping mapping() const {
    Mapping mapping{replication_, {}};
    for (const Holding& core : cores_) {
      std::vector<Share>& shares = mapping.cores.emplace_back();
      for (const Piece& piece : core.pieces) {
        partition::add_groups(shares, piece.array, piece.groups);
      }
    }
    return mapping;
  }

  const Problem& problem_;
  std::vector<std::int64_t> replication_;  // by array
  std::vector<std::int64_t> cycles_;       // by array
  std::vector<Holding> cores_;
  std::vector<std::int64_t> levels_;     // different cycles, most first
  std::vector<std::size_t> level_;       // by array: its cycles
  std::vector<std::int64_t> groups_at_;  // by level, of pieces; zero between uses
  Holding one_, other_;                  // tried in place of two cores
  std::size_t pieces_ = 0;
  SplitMix64 random_;
};

}  // namespace

std::optional<Mapping> balanced_chunks(const Problem& problem,
                                       const std::vector<std::int64_t>& replication,
                                       std::int64_t chunks, std::size_t exchanges,
                                       const std::function<bool()>& stop) {
  return Balancing(problem, problem.by_array(replication)).run(chunks, exchanges, stop);
}

}  // namespace pimbb::crossbar::assign
