// The closed tree of one goal under one storage choice, checked record by record.
//
// Every child of an inner node must have its record, in order: tiles ascending as vectors, for each
// the classes of the loops between, input, weight, output. So nothing can be left out unnoticed;
// and what closes a leaf is computed here, never read.
#pragma once

#include "check.hpp"
#include "claim.hpp"
#include "completion.hpp"
#include "rows.hpp"

namespace pimbb_check {

/// What the row models need of row-buffer tiles, for every goal and storage choice.
class RowTable {
 public:
  RowTable(const Problem& p, const Space& space) : p_(p), space_(space), rows_(space.size()) {}

  PerTensor<RowTile>& at(TileIndex i) {
    PerTensor<RowTile>& rows = rows_[i];
    if (rows[kWeight].tiles != 0) return rows;
    const TileIndex alike = without_k(i);  // the input does not see K
    if (rows_[alike][kInput].tiles == 0) {
      rows_[alike][kInput] = row_tile(p_, kInput, space_[alike].c);
    }
    rows[kInput] = rows_[alike][kInput];
    for (const std::size_t t : {kWeight, kOutput}) rows[t] = row_tile(p_, t, space_[i].c);
    return rows;
  }
  /// With the input's micro-traces.
  const PerTensor<RowTile>& in_full(TileIndex i) {
    PerTensor<RowTile>& rows = at(i);
    if (p_.hybrid && rows[kInput].micro == 0) {
      RowTile& alike = rows_[without_k(i)][kInput];
      if (alike.micro == 0) alike.micro = micro_traces(p_, space_[i].c);
      rows[kInput].micro = alike.micro;
    }
    return rows;
  }

 private:
  TileIndex without_k(TileIndex i) const {
    return space_.divisors(space_[i], space_.mask(kInput))[0];
  }
  const Problem& p_;
  const Space& space_;
  std::vector<PerTensor<RowTile>> rows_;
};

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
        rows_(rows) {
    Node root{p.dram(), &space.whole(), kInput, 1, {}, 0, 0, kInput};
    root.sums.energy = prices.macs;
    open(root);
  }
  Tree(const Tree&) = delete;

  /// Whether all records have been seen.
  bool closed() const { return branch_.empty(); }

  void check(Record record, const Factors& c, char loops) {
    Branch& branch = branch_.back();
    const Child& wanted = branch.children[branch.next++];
    if (space_[wanted.tile].c != c || loops != wanted.loops) {
      std::string name;
      for (const std::int64_t factor : space_[wanted.tile].c) name += std::to_string(factor) + ".";
      name.back() = ' ';
      throw Refusal("the child '" + name + wanted.loops + "' is wanted here");
    }
    const Node node = child(branch.node, wanted);
    switch (record) {
      case Record::bound:
        require(closed(node, Verdict::bound), "its bound does not close this leaf");
        break;
      case Record::cap:
        require(closed(node, Verdict::cap), "the goals before do not close this leaf");
        break;
      case Record::evaluated:
        require(node.level == 0, "only tiles of the innermost level can be evaluated");
        evaluate(node);
        break;
      case Record::inner:
        require(node.level > 0, "a tile of the innermost level has no children");
        open(node);
        break;
    }
    while (!branch_.empty() && branch_.back().next == branch_.back().children.size()) {
      branch_.pop_back();
    }
  }

 private:
  struct Node {
    std::size_t level;  // the innermost level decided
    const Tile* tile;
    std::size_t s;       // stationary tensor
    std::int64_t outer;  // and how often it is swept
    Terms<Int> sums;
    Int activations;
    TileIndex row_tile;   // of the row buffer
    std::size_t at_dram;  // class of the DRAM's loops
  };
  struct Child {
    TileIndex tile;
    char loops;
    std::uint8_t s;
    std::int64_t outer;
  };
  struct Branch {
    Node node;
    std::vector<Child> children;
    std::size_t next = 0;
  };

  void open(const Node& node) {
    Branch branch{node, {}};
    if (node.level == p_.row_buffer()) {
      activations_ = {};
    }
    for (const TileIndex to : space_.divisors(*node.tile)) {
      if (!completion_.admits(node.level - 1, to)) continue;
      const std::uint64_t differ = space_[to].word ^ node.tile->word;
      int kinds = 0;
      for (std::size_t s = 0; s < 3; ++s) kinds += (differ & space_.mask(s)) != 0 ? 1 : 0;
      const auto same = static_cast<std::uint8_t>(node.s);
      if (kinds == 0) branch.children.push_back({to, '-', same, node.outer});
      for (std::uint8_t s = 0; s < 3; ++s) {
        if ((differ & space_.mask(s)) == 0) continue;
        // A run goes on inwards if all loops here are irrelevant to the tensor that stayed put.
        const bool carried = kinds == 1 && node.s == s;
        const std::int64_t outer = carried ? node.outer : node.tile->irrelevant[s];
        branch.children.push_back({to, kTensorLetters[s], s, outer});
      }
    }
    branch_.push_back(std::move(branch));
  }

  Node child(const Node& node, const Child& step) {
    const Tile& tile = space_[step.tile];
    Node child = node;
    child.level = node.level - 1;
    child.tile = &tile;
    child.s = step.s;
    child.outer = step.outer;
    if (child.level == p_.row_buffer()) {
      child.row_tile = step.tile;
      child.at_dram = step.s;
      child.sums.energy = plus(child.sums.energy, storage_.dram_energy(tile, step.s, step.outer));
      return child;
    }
    PerTensor<Int> rows{};
    const bool below_rows = node.level == p_.row_buffer();
    for (std::size_t t = 0; below_rows && t < 3; ++t) {
      rows[t] = activations(node, tile, t, t == step.s);
      child.activations = plus(child.activations, rows[t]);
    }
    child.sums.add(
        storage_.fill(child.level, tile, step.s, step.outer, below_rows ? &rows : nullptr),
        storage_.open_count());
    return child;
  }

  /// Of tensor t, if the row-buffer tile is `node` and the next one inwards `inner`: the same for
  /// all inner tiles with as many t-irrelevant loops.
  Int activations(const Node& node, const Tile& inner, std::size_t t, bool stationary) {
    auto& known = activations_[2 * t + (stationary ? 1 : 0)];
    auto& [loops, rows] = known[static_cast<std::size_t>(inner.irrelevant[t]) % known.size()];
    if (loops == inner.irrelevant[t]) return rows;
    loops = inner.irrelevant[t];
    Reuse reuse = above(node, t);
    (stationary ? reuse.inner2 : reuse.outer2) = loops / node.tile->irrelevant[t];
    rows = within(fewest_activations(p_, t, rows_.in_full(node.row_tile)[t], reuse));
    return rows;
  }
  static Int within(Count rows) {
    require(rows < kInfinity<Int>, "a number is out of range");
    return static_cast<Int>(rows);
  }
  /// The t-irrelevant loops at the DRAM.
  Reuse above(const Node& node, std::size_t t) const {
    Reuse reuse;
    (t == node.at_dram ? reuse.inner3 : reuse.outer3) = space_[node.row_tile].irrelevant[t];
    return reuse;
  }

  /// For this reason, or for the stronger one.
  bool closed(const Node& node, Verdict reason) {
    if (node.level == p_.row_buffer()) return judge_rows(node) >= reason;
    const auto tile = static_cast<TileIndex>(node.tile - &space_[0]);
    if (judge(node, completion_.least(node.level, tile, node.s)) >= reason) return true;
    if (node.level == 0) return false;
    std::array<Int, 1 + kMostOpen + Completion<Int>::kMostThresholds> rest;
    completion_.at(node.level, tile, node.s, node.outer, rest.data());
    return judge(node, rest.data()) >= reason;
  }
  Verdict judge(const Node& node, const Int* rest) const {
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
  Verdict judge_rows(const Node& node) {
    Node best = node;
    PerTensor<RowTile> rows = rows_.at(node.row_tile);
    rows[kInput].cross = 0;
    if (p_.hybrid) rows[kInput].micro = least_micro_traces(p_, node.tile->c);
    for (std::size_t t = 0; t < 3; ++t) {
      const Int all = within(fewest_activations(p_, t, rows[t], above(node, t)));
      best.sums.latency = std::max(best.sums.latency, times(all, prices_.row_cycles));
      best.sums.energy = plus(best.sums.energy, times(all, prices_.row_energy));
      best.activations = plus(best.activations, all);
    }
    return judge(best, completion_.below_row_buffer(node.row_tile));
  }

  void evaluate(const Node& node) const {
    const auto tile = static_cast<TileIndex>(node.tile - &space_[0]);
    completion_.for_each_option(tile, [&](const Terms<Int>& terms) {
      Terms<Int> all = node.sums;
      all.add(terms, storage_.open_count());
      for (std::size_t i = 0; i < storage_.open_count(); ++i) {
        all.latency = std::max(all.latency, all.open[i]);
      }
      require(claim_.verdict(all.latency, all.energy, node.activations) != Verdict::open,
              "a mapping here is better than the optimum claimed");
      return true;
    });
  }

  const Problem& p_;
  const Space& space_;
  const Prices<Int>& prices_;
  Storage<Int> storage_;
  const Claim<Int>& claim_;
  Completion<Int> completion_;
  RowTable& rows_;
  std::vector<Branch> branch_;
  // Of the current row-buffer tile: by tensor and whether it is stationary, a cache by loops.
  std::array<std::array<std::pair<std::int64_t, Int>, 61>, 6> activations_;
};

}  // namespace pimbb_check
