// The closed tree of one goal under one storage choice, checked record by record.
//
// Every child of an inner node must have its record, in order: tiles ascending as vectors, for each
// the classes of the loops between, input, weight, output, none. So nothing can be left out
// unnoticed; and what closes a leaf is computed here, never read.
//
// Under the row model `trace` floors of the activations stand in until loop orders are decided:
// where these are early (ordering.hpp) by the children of a tile of level rb - 1, one for each
// order that the claim does not close and no other one beats; else when a tile of level 0 is
// evaluated.
#pragma once

#include "check.hpp"
#include "claim.hpp"
#include "completion.hpp"
#include "ordering.hpp"
#include "row_table.hpp"

namespace pimbb_check {

template <class Int>
class Tree {
 public:
  Tree(const Problem& p, const Space& space, const Neighbours& neighbours,
       const Unrolling& unrolling, const Prices<Int>& prices, const std::vector<Flags>& stores,
       const Claim<Int>& claim, RowTable& rows)
      : p_(p),
        space_(space),
        prices_(prices),
        storage_(p, prices, stores),
        claim_(claim),
        completion_(p, space, neighbours, unrolling, storage_, claim.thresholds),
        rows_(rows),
        ordering_(p, prices, storage_) {
    Node root{{kInput, 1, {}, 0}, p.dram(), &space.whole(), 0, kInput, 1, false};
    root.sums.energy = prices.macs;
    open(root);
    leave();  // constraints may leave nothing
  }
  Tree(const Tree&) = delete;

  /// Whether all records have been seen.
  [[nodiscard]] bool closed() const { return branch_.empty(); }

  void check(Record record, const Factors& c, char loops) {
    Branch& branch = branch_.back();
    require(branch.orders.empty(), "an order of loops is wanted here");
    const Child wanted = branch.children[branch.next++];
    if (space_[wanted.tile].c != c || loops != wanted.loops) {
      std::string name;
      for (const std::int64_t factor : space_[wanted.tile].c) name += std::to_string(factor) + ".";
      name.back() = ' ';
      throw Refusal("the child '" + name + wanted.loops + "' is wanted here");
    }
    if (record == Record::inner) {
      open(child(branch.node, wanted));
    } else {
      close(branch.node, wanted, record);
    }
    leave();
  }
  /// A node of the tile that was opened last.
  void check_order(const std::string& name) {
    Branch& branch = branch_.back();
    require(!branch.orders.empty(), "no order of loops is wanted here");
    const Choice wanted = branch.orders[branch.next++];
    if (wanted.name != name) throw Refusal("the order '" + wanted.name + "' is wanted here");
    open(wanted.node);
    leave();
  }

  /// All tiles of the row buffer at once, of a tree without records so far.
  void close_root() {
    if (closed()) return;
    Branch& root = branch_.back();
    for (; root.next < root.children.size(); ++root.next) {
      close(root.node, root.children[root.next], Record::bound);
    }
    leave();
  }

  /// The record that must come next, of a tree that is not closed.
  [[nodiscard]] Wanted wanted() const {
    const Branch& branch = branch_.back();
    if (!branch.orders.empty()) return {Wanted::order, branch.orders[branch.next].name, {}, ' '};
    const Child& child = branch.children[branch.next];
    return {Wanted::child, {}, space_[child.tile].c, child.loops};
  }
  /// Whether it may be a leaf for this reason.
  [[nodiscard]] bool grants(Record reason) {
    const Branch& branch = branch_.back();
    if (!branch.orders.empty()) return false;
    try {
      close(branch.node, branch.children[branch.next], reason);
    } catch (const Refusal&) {
      return false;
    }
    return true;
  }

 private:
  struct Node : State<Int> {
    std::size_t level;  // the innermost level decided
    const Tile* tile;
    TileIndex row_tile;   // of the row buffer
    std::size_t at_dram;  // class of the DRAM's loops
    std::int64_t sweeps;  // of its tensor: loops that stand outside others
    bool ordered;         // their order is decided, and that of the row buffer's
  };
  struct Child {
    TileIndex tile;
    char loops;
    std::uint8_t s;
    std::int64_t outer;
  };
  struct Choice {
    std::string name;
    Node node;
  };
  struct Branch {
    Node node;
    std::vector<Child> children;
    std::vector<Choice> orders;  // instead of children
    std::size_t next = 0;
    [[nodiscard]] bool done() const { return next == std::max(children.size(), orders.size()); }
  };

  void leave() {
    while (!branch_.empty() && branch_.back().done()) branch_.pop_back();
  }
  [[nodiscard]] bool awaits_orders(const Node& node) const {
    return ordering_.early() && node.level + 1 == p_.row_buffer() && !node.ordered;
  }

  void open(const Node& node) {
    require(node.level > 0, "a tile of the innermost level has no children");
    Branch branch{node, {}, {}};
    if (awaits_orders(node)) {
      branch.orders = open_orders(node);
      require(!branch.orders.empty(), "no order of loops is left open here");
      branch_.push_back(std::move(branch));
      return;
    }
    if (node.level == p_.row_buffer()) {
      activations_ = {};
      if (p_.trace) floors_.emplace(p_, node.tile->c, node.at_dram, rows_.whole());
    }
    for (const TileIndex to : space_.divisors(*node.tile)) {
      if (!completion_.admits(node.level - 1, to)) continue;
      if (!p_.constraints.nests(node.level, space_[to].c, node.tile->c)) continue;
      if (node.level == p_.dram() && !has_layouts(p_, space_[to].c)) continue;
      add_children(node, to, branch.children);
    }
    branch_.push_back(std::move(branch));
  }

  /// Each class of the loops that lead to a tile.
  void add_children(const Node& node, TileIndex to, std::vector<Child>& children) const {
    const std::uint64_t differ = space_[to].word ^ node.tile->word;
    int kinds = 0;
    for (std::size_t s = 0; s < kClasses; ++s) kinds += (differ & space_.mask(s)) != 0 ? 1 : 0;
    const auto same = static_cast<std::uint8_t>(node.s);
    if (kinds == 0) children.push_back({to, '-', same, node.outer});
    for (std::uint8_t s = 0; s < kClasses; ++s) {
      if ((differ & space_.mask(s)) == 0) continue;
      // A run goes on inwards if all loops here are irrelevant to the tensor that stayed put.
      const bool carried = kinds == 1 && node.s == s;
      const std::int64_t run = run_length(node.level, space_[to].c, node.tile->c, s);
      if (run == 1) continue;  // constraints admit no order of the class
      const std::int64_t outer =
          carried || s == kNoTensor ? node.outer : space_[to].irrelevant[s] / run;
      children.push_back({to, kTensorLetters[s], s, outer});
    }
  }

  /// Product of the loops between two tiles that may be innermost in class s.
  [[nodiscard]] std::int64_t run_length(std::size_t m, const Factors& inner, const Factors& outer,
                                        std::size_t s) const {
    const DimSet run = p_.constraints.run(m, loops_between(inner, outer), s);
    std::int64_t length = 1;
    for (std::size_t j = 0; j < kDims; ++j) length *= contains(run, j) ? outer[j] / inner[j] : 1;
    return length;
  }

  /// The one place where leaves are judged.
  void close(const Node& parent, const Child& step, Record reason) {
    switch (reason) {
      case Record::bound:
        require(closed(parent, step, Verdict::bound), "its bound does not close this leaf");
        break;
      case Record::cap:
        require(closed(parent, step, Verdict::cap), "the goals before do not close this leaf");
        break;
      case Record::evaluated: evaluate(child(parent, step)); break;
      case Record::inner: refuse("an inner node is no leaf");
    }
  }

  /// `exact`: under the model trace, with the floors of this step, else with those of all.
  Node child(const Node& node, const Child& step, bool exact = true) {
    const Tile& tile = space_[step.tile];
    Node child = node;
    child.level = node.level - 1;
    child.tile = &tile;
    child.s = step.s;
    child.outer = step.outer;
    if (child.level == p_.row_buffer()) {
      child.row_tile = step.tile;
      child.at_dram = step.s;
      child.sweeps = step.s == kNoTensor ? 1 : step.outer;
      child.sums.energy = plus(child.sums.energy, storage_.dram_energy(tile, step.s, step.outer));
      return child;
    }
    PerTensor<Int> rows{};
    const bool below_rows = node.level == p_.row_buffer();
    if (below_rows && p_.trace) {
      rows = ordering_.in_units(exact ? floors_->least(tile.c, step.s, storage_.stores(child.level))
                                      : floors_->least());
    }
    for (std::size_t t = 0; below_rows && t < 3; ++t) {
      if (!p_.trace) rows[t] = activations(node, tile, t, t == step.s);
      child.activations = plus(child.activations, rows[t]);
    }
    child.sums.add(
        storage_.fill(child.level, tile, step.s, step.outer, below_rows ? &rows : nullptr),
        storage_.open_count());
    return child;
  }

  /// Of tensor t, if the row-buffer tile is `node` and the next one inwards `inner`: the same for
  /// all inner tiles with as many t-irrelevant loops, unless orders are constrained.
  Int activations(const Node& node, const Tile& inner, std::size_t t, bool stationary) {
    auto& known = activations_[2 * t + (stationary ? 1 : 0)];
    auto& [loops, rows] = known[static_cast<std::size_t>(inner.irrelevant[t]) % known.size()];
    if (loops == inner.irrelevant[t] && p_.constraints.inside.empty()) return rows;
    loops = inner.irrelevant[t];
    Reuse reuse = above(node, t);
    reuse.inner2 = stationary ? run_length(node.level, inner.c, node.tile->c, t) : 1;
    reuse.outer2 = loops / node.tile->irrelevant[t] / reuse.inner2;
    rows = within<Int>(fewest_activations(p_, t, rows_.in_full(node.row_tile)[t], reuse));
    return rows;
  }
  /// The t-irrelevant loops at the DRAM.
  [[nodiscard]] Reuse above(const Node& node, std::size_t t) const {
    Reuse reuse;
    reuse.outer3 = t == node.at_dram ? node.sweeps : space_[node.row_tile].irrelevant[t];
    reuse.inner3 = space_[node.row_tile].irrelevant[t] / reuse.outer3;
    return reuse;
  }

  /// For this reason, or for the stronger one.
  bool closed(const Node& parent, const Child& step, Verdict reason) {
    const bool floors = p_.trace && parent.level == p_.row_buffer();
    return closed(child(parent, step, !floors), reason) ||
           (floors && closed(child(parent, step), reason));
  }
  bool closed(const Node& node, Verdict reason) {
    if (node.level == p_.row_buffer()) {
      if (!p_.trace) return judge_rows(node, formula_rows(node)) >= reason;
      const auto closes = [&](const PerTensor<std::int64_t>& rows) {
        return judge_rows(node, ordering_.in_units(rows)) >= reason;
      };
      return closes(rows_.whole()) ||
             closes(DramFloors(p_, node.tile->c, node.at_dram, rows_.whole()).least());
    }
    const auto tile = static_cast<TileIndex>(node.tile - &space_[0]);
    if (judge(node, completion_.least(node.level, tile, node.s)) >= reason) return true;
    if (node.level == 0) return false;
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): filled before it is read
    std::array<Int, 1 + kMostOpen + Completion<Int>::kMostThresholds> rest;
    completion_.at(node.level, tile, node.s, node.outer, rest.data());
    return judge(node, rest.data()) >= reason;
  }
  Verdict judge(const Node& node, const Int* rest) const {
    if (rest[0] == kInfinity<Int>) return Verdict::cap;  // nothing completes the node
    return claim_.judge(latency(node.sums, rest), node.sums.energy, node.activations,
                        rest + 1 + storage_.open_count());
  }
  /// Of a completion that adds `rest`.
  Int latency(const Terms<Int>& sums, const Int* rest) const {
    Int latency = std::max(sums.latency, rest[0]);
    for (std::size_t i = 0; i < storage_.open_count(); ++i) {
      latency = std::max(latency, plus(sums.open[i], rest[1 + i]));
    }
    return latency;
  }
  /// At best, nothing crosses, and the loops at the row buffer repeat nothing.
  PerTensor<Int> formula_rows(const Node& node) {
    PerTensor<RowTile> tiles = rows_.at(node.row_tile);
    tiles[kInput].cross = 0;
    if (p_.hybrid) tiles[kInput].micro = least_micro_traces(p_, node.tile->c);
    PerTensor<Int> rows;
    for (std::size_t t = 0; t < 3; ++t) {
      rows[t] = within<Int>(fewest_activations(p_, t, tiles[t], above(node, t)));
    }
    return rows;
  }
  /// A row-buffer tile with at least these activations.
  [[nodiscard]] Verdict judge_rows(const Node& node, const PerTensor<Int>& rows) const {
    Node best = node;
    for (const Int all : rows) {
      best.sums.latency = std::max(best.sums.latency, times(all, prices_.row_cycles));
      best.sums.energy = plus(best.sums.energy, times(all, prices_.row_energy));
      best.activations = plus(best.activations, all);
    }
    return judge(best, completion_.below_row_buffer(node.row_tile));
  }

  /// Everything that is decided next is looked at.
  void evaluate(const Node& node) {
    if (awaits_orders(node)) {
      require(open_orders(node).empty(), "an order of loops is left open here");
      return;
    }
    require(node.level == 0, "only tiles of the innermost level can be evaluated");
    const auto tile = static_cast<TileIndex>(node.tile - &space_[0]);
    (void)completion_.for_each_option(tile, [&](const Terms<Int>& terms, const Tile& array,
                                                const Tile& internal) {
      if (verdict(node.sums, terms, node.activations) != Verdict::open) return true;
      require(p_.trace && !ordering_.early(), "a mapping here is better than the optimum claimed");
      evaluate_orders(node, terms, space_[space_.with_id(array.id + internal.id)].c);
      return true;
    });
  }
  [[nodiscard]] Verdict verdict(Terms<Int> sums, const Terms<Int>& last, Int activations) const {
    sums.add(last, storage_.open_count());
    for (std::size_t i = 0; i < storage_.open_count(); ++i) {
      sums.latency = std::max(sums.latency, sums.open[i]);
    }
    return claim_.verdict(sums.latency, sums.energy, activations);
  }

  /// The branch down to `node`.
  [[nodiscard]] Nest nest(const Node& node, const Factors& spatial) const {
    Nest nest;
    nest.tile.resize(p_.levels.size());
    nest.s.resize(p_.levels.size() + 1);
    const auto place = [&](const Node& on) {
      nest.tile[on.level] = on.tile;
      nest.s[on.level + 1] = on.s;
    };
    for (const Branch& branch : branch_) place(branch.node);
    place(node);
    ordering_.add_feeds(nest, spatial);
    return nest;
  }

  /// A complete mapping but for its orders: none of these makes it better than what is claimed.
  void evaluate_orders(const Node& node, const Terms<Int>& last, const Factors& spatial) const {
    const Nest nest = this->nest(node, spatial);
    const LoopOrders least = ordering_.of_classes(nest, 0);
    const auto better = [&](const LoopOrders& orders, const OrderSearch::Rows& rows) {
      return verdict(ordering_.sums(nest, orders, 0, rows), last, ordering_.activations(rows)) ==
             Verdict::open;
    };
    const OrderSearch::Hopeful hopeful = [&](const auto& rows) { return better(least, rows); };
    const OrderSearch::Visit visit = [&](const LoopOrders& found, const auto& rows) {
      LoopOrders orders = least;
      std::copy(found.begin() + nest.first, found.end(), orders.begin() + nest.first);
      require(!better(orders, rows), "a loop order here is better than the optimum claimed");
    };
    OrderSearch(p_, nest, hopeful, visit).run();
  }

  /// Of a tile of level rb - 1: orders that the claim leaves open and no other one beats; of those
  /// that are equal the first.
  std::vector<Choice> open_orders(const Node& node) {
    const Nest nest = this->nest(node, kOnes);
    const LoopOrders least = ordering_.of_classes(nest, node.level);
    const auto with = [&](const LoopOrders& orders, const OrderSearch::Rows& rows) {
      const auto [s, outer] = ordering_.run(nest, orders, node.level);
      return Node{
          {s, outer, ordering_.sums(nest, orders, node.level, rows), ordering_.activations(rows)},
          node.level,
          node.tile,
          node.row_tile,
          node.at_dram,
          node.sweeps,
          true};
    };
    const OrderSearch::Hopeful hopeful = [&](const auto& rows) {
      return !closed(with(least, rows), Verdict::bound);
    };
    const auto beats = [&](const Choice& a, const Choice& b) {
      return claim_.no_worse(a.node, b.node, storage_.open_count());
    };
    std::vector<Choice> open;
    const OrderSearch::Visit visit = [&](const LoopOrders& orders, const auto& rows) {
      Choice choice{ordering_.name(orders), with(orders, rows)};
      for (const Choice& other : open) {
        if (beats(other, choice)) return;
      }
      if (closed(choice.node, Verdict::bound)) return;
      std::erase_if(open, [&](const Choice& other) { return beats(choice, other); });
      open.push_back(std::move(choice));
    };
    OrderSearch(p_, nest, hopeful, visit).run();
    return open;
  }

  const Problem& p_;
  const Space& space_;
  const Prices<Int>& prices_;
  Storage<Int> storage_;
  const Claim<Int>& claim_;
  Completion<Int> completion_;
  RowTable& rows_;
  const Ordering<Int> ordering_;
  std::optional<DramFloors> floors_;  // of the current row-buffer tile
  std::vector<Branch> branch_;
  // Of the current row-buffer tile: by tensor and whether it is stationary, a cache by loops.
  std::array<std::array<std::pair<std::int64_t, Int>, 61>, 6> activations_;
};

}  // namespace pimbb_check
