// A proof that a solution is optimal, for a checker that does not trust the solver.
//
//   auto solution = solve(architecture, layer, question, limits);
//   write_file("best.proof", prove(architecture, layer, question, limits, solution).text);
//
// `pimbb-check best.proof` verifies it (docs/proof-format.md). A proof is a stream of events. A
// ProofTracer receives them, for example to write a file while the proof is computed, or to check
// the proof in the same process.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "pimbb/dram_pim/architecture.hpp"
#include "pimbb/dram_pim/solver.hpp"
#include "pimbb/proof_pieces.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::dram_pim {

/// Receives the events of a proof in the order of the document, all on the thread that calls
/// prove(). Events that are not overridden are ignored. An exception ends the proof.
class ProofTracer {
 public:
  virtual ~ProofTracer() = default;

  /// The problem: canonical_instance() and its digest.
  virtual void begin(const std::string& /*sha256*/, const std::string& /*instance*/) {}
  /// A mapping that attains all optima, as JSON; or the claim that no mapping exists.
  virtual void incumbent(const std::string& /*mapping*/) {}
  virtual void infeasible() {}
  /// Follows infeasible() where goals have limits or mappings constraints: the latencies that
  /// define the brackets. The storage choices follow, as in the section of a goal; nothing in their
  /// trees keeps the limits.
  virtual void none_within(const std::vector<std::string>& /*thresholds*/) {}
  /// Begins the section of a goal: its optimum, and the latencies that define the brackets.
  virtual void goal(Goal /*goal*/, const Rational& /*optimum*/,
                    const std::vector<std::string>& /*thresholds*/) {}
  /// Begins a storage choice: its tree follows, or it is closed because a level overflows.
  virtual void storage(const std::string& /*stores*/) {}
  virtual void overflow(const std::string& /*stores*/, std::size_t /*level*/) {}
  /// A node whose children follow; a node closed by its bound, or by earlier goals; a tile of the
  /// innermost level whose unrollings, or a tile whose loop orders, have all been evaluated.
  /// `loops`: class of the loops between the tile and the tile outside.
  virtual void inner(const Factors& /*tile*/, char /*loops*/) {}
  virtual void closed_by_bound(const Factors& /*tile*/, char /*loops*/) {}
  virtual void closed_by_cap(const Factors& /*tile*/, char /*loops*/) {}
  virtual void evaluated(const Factors& /*tile*/, char /*loops*/) {}
  /// Row model trace: an inner node below a tile, with the orders of the DRAM's and the row
  /// buffer's loops, "CK/QPR", outermost first.
  virtual void ordered(const std::string& /*loops*/) {}
  virtual void end() {}
  /// Instead of storage(), in the proof of a device: bounds close every tile of the row buffer.
  virtual void storage_closed(const std::string& /*stores*/) {}
};

/// Writes the pimbb-proof/1 document piece by piece.
class ProofWriter : public ProofTracer {
 public:
  explicit ProofWriter(std::function<void(std::string_view)> sink) : pieces_(std::move(sink)) {}

  void begin(const std::string& sha256, const std::string& instance) override;
  void incumbent(const std::string& mapping) override;
  void infeasible() override;
  void none_within(const std::vector<std::string>& thresholds) override;
  void goal(Goal goal, const Rational& optimum,
            const std::vector<std::string>& thresholds) override;
  void storage(const std::string& stores) override;
  void overflow(const std::string& stores, std::size_t level) override;
  void inner(const Factors& tile, char loops) override;
  void closed_by_bound(const Factors& tile, char loops) override;
  void closed_by_cap(const Factors& tile, char loops) override;
  void evaluated(const Factors& tile, char loops) override;
  void ordered(const std::string& loops) override;
  void end() override;
  void storage_closed(const std::string& stores) override;

  [[nodiscard]] std::uint64_t inner_nodes() const { return inner_nodes_; }
  [[nodiscard]] std::uint64_t leaves() const { return leaves_; }
  [[nodiscard]] std::uint64_t bytes() const { return pieces_.bytes(); }

 private:
  void node(char record, const Factors& tile, char loops);
  void thresholds(const std::vector<std::string>& latencies);

  ProofPieces pieces_;
  std::uint64_t inner_nodes_ = 0, leaves_ = 0;
};

struct Proof {
  std::string text;               ///< the pimbb-proof/1 document
  std::uint64_t inner_nodes = 0;  ///< records with children
  std::uint64_t leaves = 0;       ///< records that close their part of the space
};

/// Sends the events of the proof of `solution` to all `tracers`. solve() must have returned the
/// solution for the same arguments, with status `optimal` or `infeasible`. The events do not depend
/// on the number of threads. The limits of time and memory apply anew, and so does the request to
/// stop: they end the proof with a LimitError. Throws InputError for another status, or if the
/// method is not exact.
void prove(const Architecture& architecture, const Workload& workload, const Question& question,
           const RunLimits& limits, const Solution& solution,
           const std::vector<ProofTracer*>& tracers);
/// The same as text.
Proof prove(const Architecture& architecture, const Workload& workload, const Question& question,
            const RunLimits& limits, const Solution& solution);

/// The same for a layer with a padding and the solution of solve_padded(): each vector of bounds is
/// closed by its least cost, which the checker computes, or by a proof of its own. Writes the
/// pimbb-padded-proof/1 document to `sink`, in pieces; returns its size.
struct PaddedProofSize {
  std::uint64_t proofs = 0;  ///< of single vectors of bounds
  std::uint64_t leaves = 0;  ///< of all of these
  std::uint64_t bytes = 0;
};
PaddedProofSize prove_padded(const Architecture& architecture, const Workload& workload,
                             const Question& question, const RunLimits& limits,
                             const Solution& solution,
                             const std::function<void(std::string_view)>& sink);

/// The problem in normal form, one line of JSON; a proof contains its SHA-256.
std::string canonical_instance(const Architecture& architecture, const Workload& workload,
                               const Objective& objective, RowModel row_model,
                               const std::vector<GoalCap>& caps = {},
                               const Constraints& constraints = {});
/// The same of a layer that may be padded: the problem of its own bounds, and their tops.
std::string canonical_padded_instance(const Architecture& architecture, const Workload& workload,
                                      const Question& question);

}  // namespace pimbb::dram_pim
