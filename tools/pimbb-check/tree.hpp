// The closed tree of one goal under one storage choice, checked node by node as it is read.
//
// Every child of an inner node must stand there, in order: tiles ascending as vectors, for each the
// classes of the loops between, input, weight, output. So nothing can be left out unnoticed; and
// what closes a leaf is computed here, never read.
#pragma once

#include "check.hpp"
#include "completion.hpp"
#include "rows.hpp"

namespace pimbb_check {

/// Lines of the proof, counted.
class Reader {
 public:
  explicit Reader(std::istream& in) : in_(in) {}
  /// The next line, which must exist.
  const std::string& next();
  /// The rest of the next line, which must begin with `key` and a space.
  std::string field(const std::string& key);
  bool at_end() { return in_.peek() == std::istream::traits_type::eof(); }
  std::uint64_t line_number() const { return number_; }
  std::uint64_t bytes() const { return bytes_; }

 private:
  std::istream& in_;
  std::string line_;
  std::uint64_t number_ = 0, bytes_ = 0;
};

/// No mapping that keeps the caps has a value of the goal below the optimum.
class Claim {
 public:
  enum class Verdict { open, bound, cap };

  std::vector<Int> thresholds;  ///< ascending; the last is kInfinity

  void set_weights(const Big& alpha, const Big& beta) { alpha_ = alpha, beta_ = beta; }
  /// `optimum`: latency, energy, activations of the incumbent; `goals`: the last is to be proven.
  void set_goals(std::vector<Goal> goals, const std::array<Int, 3>& optimum);

  /// For latency >= `latency`, activations >= `activations` and an energy of at least `energy` +
  /// energies[k] if no slower than threshold k: can the claim fail?
  Verdict judge(Int latency, Int energy, Int activations, const Int* energies) const;
  bool refuted_by(Int latency, Int energy, Int activations) const;

 private:
  Big value(Goal goal, Int latency, Int energy, Int activations) const;
  bool keeps_caps(Int latency, Int energy, Int activations) const;

  Big alpha_, beta_;
  std::vector<Goal> goals_;
  std::vector<Big> optimum_;  // per goal
};

class Tree {
 public:
  Tree(const Problem& p, const Space& space, const Storage& storage, const Claim& claim,
       std::vector<PerTensor<RowTile>>& rows);
  /// Reads and checks everything below the root.
  void check(Reader& reader, Report& report);

 private:
  struct Node {
    std::size_t level;  // the innermost level decided
    const Tile* tile;
    std::size_t s;         // stationary tensor
    std::uint32_t anchor;  // where its run began
    Terms sums;
    Int activations;
    std::uint32_t row_tile;  // of the row buffer
    std::size_t at_dram;     // class of the DRAM's loops
  };

  void children(const Node& node, Reader& reader, Report& report);
  void visit(const Node& node, char loops, Reader& reader, Report& report);
  Node child(const Node& node, std::uint32_t to, std::size_t s, std::uint32_t anchor);
  Claim::Verdict judge(const Node& node);
  bool refuted(const Node& node) const;
  PerTensor<Reuse> reuse(const Node& node, const Tile* inner, std::size_t s) const;
  PerTensor<RowTile>& rows(std::uint32_t tile);

  const Problem& p_;
  const Space& space_;
  const Storage& storage_;
  const Claim& claim_;
  Levels levels_;
  Completion completion_;
  std::vector<PerTensor<RowTile>>& rows_;  // per tile; empty until looked at
};

}  // namespace pimbb_check
