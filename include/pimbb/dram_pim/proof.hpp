// A certificate that a solution is optimal, for a checker that trusts nothing of the solver.
//
//   auto solution = pimbb::solve(architecture, layer, question, limits);
//   pimbb::write_file("best.proof", pimbb::prove(architecture, layer, question, limits,
//   solution).text);
//
// and then, outside,  pimbb-check best.proof  (docs/proof-format.md). A proof is a stream of
// events; whoever wants something else of it than its text subscribes to these: a file that is
// written as the proof goes on, a checker in the same process.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "pimbb/dram_pim/architecture.hpp"
#include "pimbb/dram_pim/solver.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::dram_pim {

/// Subscribes to a proof: the events in the order of the document, all on the thread that proves.
/// What is not overridden is ignored. An exception ends the proof.
class ProofTracer {
 public:
  virtual ~ProofTracer() = default;

  /// The problem: canonical_instance() and its digest.
  virtual void begin(const std::string& /*sha256*/, const std::string& /*instance*/) {}
  /// A mapping that attains all optima, as JSON; or that there is none.
  virtual void incumbent(const std::string& /*mapping*/) {}
  virtual void infeasible() {}
  /// The section of a goal: its optimum, and latencies that divide it into brackets.
  virtual void goal(Goal /*goal*/, const Rational& /*optimum*/,
                    const std::vector<std::string>& /*thresholds*/) {}
  /// The section of a storage choice: its tree follows, or it is closed by a level that overflows.
  virtual void storage(const std::string& /*stores*/) {}
  virtual void overflow(const std::string& /*stores*/, std::size_t /*level*/) {}
  /// A node whose children follow; one closed by its bound, or by the goals before; a tile of the
  /// innermost level whose unrollings have all been evaluated, or one whose loop orders have.
  /// `loops`: class of the loops between the tile and the one outside.
  virtual void inner(const Factors& /*tile*/, char /*loops*/) {}
  virtual void closed_by_bound(const Factors& /*tile*/, char /*loops*/) {}
  virtual void closed_by_cap(const Factors& /*tile*/, char /*loops*/) {}
  virtual void evaluated(const Factors& /*tile*/, char /*loops*/) {}
  /// An inner node below such a tile, where addresses matter: the orders of the DRAM's and the row
  /// buffer's loops, "CK/QPR", outermost first.
  virtual void ordered(const std::string& /*loops*/) {}
  virtual void end() {}
};

/// Writes the pimbb-proof/1 document, piece by piece.
class ProofWriter : public ProofTracer {
 public:
  explicit ProofWriter(std::function<void(std::string_view)> sink) : sink_(std::move(sink)) {}

  void begin(const std::string& sha256, const std::string& instance) override;
  void incumbent(const std::string& mapping) override;
  void infeasible() override;
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

  [[nodiscard]] std::uint64_t inner_nodes() const { return inner_nodes_; }
  [[nodiscard]] std::uint64_t leaves() const { return leaves_; }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

 private:
  void node(char record, const Factors& tile, char loops);
  void flush();

  std::function<void(std::string_view)> sink_;
  std::string piece_;
  std::uint64_t inner_nodes_ = 0, leaves_ = 0, bytes_ = 0;
};

struct Proof {
  std::string text;               ///< the pimbb-proof/1 document
  std::uint64_t inner_nodes = 0;  ///< records whose children follow
  std::uint64_t leaves = 0;       ///< records that close their part of the space
};

/// Tells the proof of a solution with status `optimal` or `infeasible`, which solve() has returned
/// for the same arguments, to all `tracers`; the same events for every number of threads. Throws
/// InputError if the status is another one, or the method is not exact.
void prove(const Architecture& architecture, const Workload& workload, const Question& question,
           const RunLimits& limits, const Solution& solution,
           const std::vector<ProofTracer*>& tracers);
/// The same as text.
Proof prove(const Architecture& architecture, const Workload& workload, const Question& question,
            const RunLimits& limits, const Solution& solution);

/// The problem in the one normal form that a proof names by its SHA-256: one line of JSON.
std::string canonical_instance(const Architecture& architecture, const Workload& workload,
                               const Objective& objective, RowModel row_model);

}  // namespace pimbb::dram_pim
