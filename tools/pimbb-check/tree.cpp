// Children, bounds and leaves.
#include "tree.hpp"

#include <algorithm>

namespace pimbb_check {

const std::string& Reader::next() {
  ++number_;
  require(static_cast<bool>(std::getline(in_, line_)), "the proof ends too early");
  require(!in_.eof(), "the last line is cut off");
  bytes_ += line_.size() + 1;
  return line_;
}

std::string Reader::field(const std::string& key) {
  const std::string& line = next();
  if (!line.starts_with(key + " ")) throw Refusal("'" + key + " ...' is wanted here");
  return line.substr(key.size() + 1);
}

Big Claim::value(Goal goal, Int latency, Int energy, Int activations) const {
  if (goal == Goal::latency) return Big(latency);
  if (goal == Goal::energy) return Big(energy);
  if (goal == Goal::activations) return Big(activations);
  if (goal == Goal::edp) return Big(latency) * Big(energy);
  return alpha_ * Big(latency) + beta_ * Big(energy);
}

void Claim::set_goals(std::vector<Goal> goals, const std::array<Int, 3>& optimum) {
  goals_ = std::move(goals);
  optimum_.clear();
  for (const Goal goal : goals_) {
    optimum_.push_back(value(goal, optimum[0], optimum[1], optimum[2]));
  }
}

bool Claim::keeps_caps(Int latency, Int energy, Int activations) const {
  for (std::size_t g = 0; g + 1 < goals_.size(); ++g) {
    if (value(goals_[g], latency, energy, activations) > optimum_[g]) return false;
  }
  return true;
}

bool Claim::refuted_by(Int latency, Int energy, Int activations) const {
  return keeps_caps(latency, energy, activations) &&
         value(goals_.back(), latency, energy, activations) < optimum_.back();
}

Claim::Verdict Claim::judge(Int latency, Int energy, Int activations, const Int* energies) const {
  Verdict verdict = Verdict::cap;
  for (std::size_t k = 0; k < thresholds.size(); ++k) {
    // Completions slower than threshold k - 1, but not than threshold k.
    if (thresholds[k] < latency || energies[k] == kInfinity) continue;
    const Int slow = k == 0 ? latency : std::max(latency, thresholds[k - 1] + 1);
    const Int spent = plus(energy, energies[k]);
    if (!keeps_caps(slow, spent, activations)) continue;
    if (refuted_by(slow, spent, activations)) return Verdict::open;
    verdict = Verdict::bound;
  }
  return verdict;
}

Tree::Tree(const Problem& p, const Space& space, const Storage& storage, const Claim& claim,
           std::vector<PerTensor<RowTile>>& rows)
    : p_(p),
      space_(space),
      storage_(storage),
      claim_(claim),
      levels_(p, space, storage),
      completion_(p, space, storage, levels_, claim.thresholds),
      rows_(rows) {
  rows_.resize(space.size());
}

void Tree::check(Reader& reader, Report& report) {
  Node root{p_.dram(), &space_.whole(), kInput, space_.full_anchor(kInput), {}, 0, 0, kInput};
  root.sums.energy = storage_.mac_energy();
  children(root, reader, report);
}

void Tree::children(const Node& node, Reader& reader, Report& report) {
  const std::size_t level = node.level - 1;
  for (const std::uint32_t to :
       node.level == p_.dram() ? levels_.tiles(level) : space_.divisors(*node.tile)) {
    if (!levels_.admits(level, to)) continue;
    PerTensor<bool> looped{};  // has irrelevant loops between the tiles
    for (std::size_t j = 0; j < 7; ++j) {
      if (space_[to].c[j] != node.tile->c[j]) looped[kIrrelevantTo[j]] = true;
    }
    const int kinds = looped[0] + looped[1] + looped[2];
    if (kinds == 0) visit(child(node, to, node.s, node.anchor), '-', reader, report);
    for (std::size_t s = 0; s < 3; ++s) {
      if (!looped[s]) continue;
      // A run goes on inwards if all loops here are irrelevant to the tensor that stayed put.
      const bool carried = kinds == 1 && node.s == s;
      visit(child(node, to, s, carried ? node.anchor : node.tile->anchor[s]), kTensorLetters[s],
            reader, report);
    }
  }
}

Tree::Node Tree::child(const Node& node, std::uint32_t to, std::size_t s, std::uint32_t anchor) {
  Node child = node;
  child.level = node.level - 1;
  child.tile = &space_[to];
  child.s = s;
  child.anchor = anchor;
  const Int outer = space_.outer(s, anchor);
  if (child.level == p_.row_buffer()) {
    child.row_tile = to;
    child.at_dram = s;
    child.sums.energy = plus(child.sums.energy, storage_.dram_energy(space_[to], s, outer));
    return child;
  }
  PerTensor<Int> activations{};
  const bool below_rows = node.level == p_.row_buffer();
  if (below_rows) {
    PerTensor<RowTile>& tile = rows(node.row_tile);
    if (p_.hybrid && tile[kInput].micro == 0) tile[kInput].micro = micro_traces(p_, node.tile->c);
    const PerTensor<Reuse> loops = reuse(node, child.tile, s);
    for (std::size_t t = 0; t < 3; ++t) {
      activations[t] = fewest_activations(p_, t, tile[t], loops[t]);
      child.activations = plus(child.activations, activations[t]);
    }
  }
  const Terms terms =
      storage_.fill(child.level, space_[to], s, outer, below_rows ? &activations : nullptr);
  child.sums.latency = std::max(child.sums.latency, terms.latency);
  child.sums.energy = plus(child.sums.energy, terms.energy);
  for (std::size_t i = 0; i < storage_.open_count(); ++i) {
    child.sums.open[i] = plus(child.sums.open[i], terms.open[i]);
  }
  return child;
}

/// The irrelevant loops of each tensor at the DRAM and, down to `inner`, at the row buffer.
PerTensor<Reuse> Tree::reuse(const Node& node, const Tile* inner, std::size_t s) const {
  PerTensor<Reuse> result;
  const Tile& tile = space_[node.row_tile];
  for (std::size_t t = 0; t < 3; ++t) {
    (t == node.at_dram ? result[t].inner3 : result[t].outer3) = tile.irrelevant[t];
    if (inner == nullptr) continue;
    (t == s ? result[t].inner2 : result[t].outer2) = inner->irrelevant[t] / tile.irrelevant[t];
  }
  return result;
}

PerTensor<RowTile>& Tree::rows(std::uint32_t tile) {
  PerTensor<RowTile>& rows = rows_[tile];
  if (rows[kInput].tiles == 0) {
    for (std::size_t t = 0; t < 3; ++t) rows[t] = row_tile(p_, t, space_[tile].c);
  }
  return rows;
}

Claim::Verdict Tree::judge(const Node& node) {
  const bool at_rows = node.level == p_.row_buffer();
  const Int* rest =
      at_rows ? completion_.below_row_buffer(node.row_tile)
              : completion_.at(node.level, static_cast<std::uint32_t>(node.tile - &space_[0]),
                               node.s, node.anchor);
  Int latency = std::max(node.sums.latency, rest[0]);
  Int energy = node.sums.energy;
  Int activations = node.activations;
  for (std::size_t i = 0; i < storage_.open_count(); ++i) {
    latency = std::max(latency, plus(node.sums.open[i], rest[1 + i]));
  }
  if (at_rows) {  // at best, nothing crosses, and the loops at the row buffer repeat nothing
    PerTensor<RowTile> tile = rows(node.row_tile);
    tile[kInput].cross = 0;
    if (p_.hybrid) tile[kInput].micro = least_micro_traces(p_, node.tile->c);
    const PerTensor<Reuse> loops = reuse(node, nullptr, 0);
    for (std::size_t t = 0; t < 3; ++t) {
      const Int rows = fewest_activations(p_, t, tile[t], loops[t]);
      latency = std::max(latency, times(rows, storage_.cycles_per_row()));
      energy = plus(energy, times(rows, storage_.energy_per_row()));
      activations = plus(activations, rows);
    }
  }
  return claim_.judge(latency, energy, activations, rest + 1 + storage_.open_count());
}

bool Tree::refuted(const Node& node) const {
  return !levels_.for_each_option(*node.tile, [&](const Terms& terms) {
    Int latency = std::max(node.sums.latency, terms.latency);
    for (std::size_t i = 0; i < storage_.open_count(); ++i) {
      latency = std::max(latency, plus(node.sums.open[i], terms.open[i]));
    }
    return !claim_.refuted_by(latency, plus(node.sums.energy, terms.energy), node.activations);
  });
}

void Tree::visit(const Node& node, char loops, Reader& reader, Report& report) {
  const std::string& line = reader.next();
  const std::string& name = node.tile->name;
  const bool named = line.size() == name.size() + 4 && line[1] == ' ' &&
                     line.compare(2, name.size(), name) == 0 && line[name.size() + 2] == ' ' &&
                     line.back() == loops;
  if (!named) throw Refusal("the child '" + name + " " + loops + "' is wanted here");
  switch (line[0]) {
    case 'b':
      require(judge(node) == Claim::Verdict::bound, "its bound does not close this leaf");
      ++report.by_bound;
      break;
    case 'c':
      require(judge(node) == Claim::Verdict::cap, "the goals before do not close this leaf");
      ++report.by_cap;
      break;
    case 'e':
      require(node.level == 0, "only tiles of the innermost level can be evaluated");
      require(!refuted(node), "a mapping here is better than the optimum claimed");
      ++report.evaluated;
      break;
    case 'n':
      require(node.level > 0, "a tile of the innermost level has no children");
      ++report.inner_nodes;
      children(node, reader, report);
      break;
    default: throw Refusal("a record begins with n, b, c or e");
  }
}

}  // namespace pimbb_check
