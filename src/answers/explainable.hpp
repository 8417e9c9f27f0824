// Why there is no solution: what the search for conflicts and repairs asks of a wing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "pimbb/explanation.hpp"

namespace pimbb::answers {

/// Which constraints of a problem are in force.
using Kept = std::vector<bool>;

/// A problem whose constraints can be dropped. Fewer constraints have more solutions.
class Explainable {
 public:
  Explainable() = default;
  Explainable(const Explainable&) = delete;
  Explainable& operator=(const Explainable&) = delete;
  virtual ~Explainable() = default;

  enum class Verdict : std::uint8_t { feasible, infeasible, stopped };

  /// The constraints, by number.
  [[nodiscard]] virtual const std::vector<ProblemConstraint>& constraints() const = 0;
  /// Whether there is a solution within the constraints that are kept.
  virtual Verdict decide(const Kept& kept) = 0;
  /// The least change of constraint k, which is kept, that leaves a solution within those kept. It
  /// has a number. There is no solution without a change.
  virtual LeastChange least_change(const Kept& kept, std::size_t k) = 0;
};

/// Whether there is a solution with a size, and how much of it that one needs.
struct SizeTrial {
  Explainable::Verdict verdict = Explainable::Verdict::stopped;
  std::int64_t need = 0;
};
/// The least size above `today`, which is not enough, for which there is a solution; more of the
/// size never hurts. Looked for as far as `most`.
LeastChange least_size(std::int64_t today, std::int64_t most,
                       const std::function<SizeTrial(std::int64_t)>& at);

/// The conflict that deletion leaves, which goes through the constraints in their order, with what
/// each number of it needs; and every repair. `feasible` or an empty conflict if there is none.
struct Explained {
  ExplanationStatus status = ExplanationStatus::partial;
  Conflict conflict;
};
Explained explain(Explainable& problem);

}  // namespace pimbb::answers
