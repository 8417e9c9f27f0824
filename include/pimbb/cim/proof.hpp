// A proof that a solution is optimal, for a checker that does not trust the solver.
//
//   auto solution = solve(architecture, layer, question, limits);
//   write_file("best.proof", prove(architecture, layer, question, limits, solution).text);
//
// `pimbb-check best.proof` verifies it (docs/cim-proof-format.md). A proof is a stream of events. A
// ProofTracer receives them, for example to write a file, or to check the proof in the same
// process.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "pimbb/cim/architecture.hpp"
#include "pimbb/cim/question.hpp"
#include "pimbb/cim/solver.hpp"
#include "pimbb/proof_pieces.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::cim {

/// Why nothing in a spatial scheme is better than the claim; the first that holds.
enum class SchemeReason : char {
  mirror = 'y',    ///< an earlier scheme with width and height exchanged
  no_loops = 't',  ///< the scheme has one mapping
  bound = 'b',     ///< a lower bound of all its mappings
  followed = 'x'   ///< all its nests have been followed, or closed on the way
};

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
  /// Begins the section of a goal: all schemes follow. So they do after infeasible().
  virtual void goal(Goal /*goal*/, const Rational& /*optimum*/) {}
  /// The next scheme. `image`: number of the scheme whose mirror image it is.
  virtual void scheme(SchemeReason /*reason*/, std::uint64_t /*image*/) {}
  virtual void end() {}
};

/// Writes the pimbb-cim-proof/1 document piece by piece.
class ProofWriter : public ProofTracer {
 public:
  explicit ProofWriter(std::function<void(std::string_view)> sink) : pieces_(std::move(sink)) {}

  void begin(const std::string& sha256, const std::string& instance) override;
  void incumbent(const std::string& mapping) override;
  void infeasible() override;
  void goal(Goal goal, const Rational& optimum) override;
  void scheme(SchemeReason reason, std::uint64_t image) override;
  void end() override;

  [[nodiscard]] std::uint64_t schemes() const { return schemes_; }
  [[nodiscard]] std::uint64_t bytes() const { return pieces_.bytes(); }

 private:
  ProofPieces pieces_;
  std::uint64_t schemes_ = 0;
};

struct Proof {
  std::string text;           ///< the pimbb-cim-proof/1 document
  std::uint64_t schemes = 0;  ///< records of schemes, of all goals together
};

/// Sends the events of the proof of `solution` to all `tracers`. solve() must have returned the
/// solution for the same arguments, with status `optimal` or `infeasible`. The limits of time and
/// memory apply anew; they end the proof with a LimitError. Throws InputError for another status.
void prove(const Architecture& architecture, const Workload& workload, const Question& question,
           const RunLimits& limits, const Solution& solution,
           const std::vector<ProofTracer*>& tracers);
/// The same as text.
Proof prove(const Architecture& architecture, const Workload& workload, const Question& question,
            const RunLimits& limits, const Solution& solution);

/// The problem in normal form, one line of JSON; a proof contains its SHA-256.
std::string canonical_instance(const Architecture& architecture, const Workload& workload,
                               const Question& question);

}  // namespace pimbb::cim
