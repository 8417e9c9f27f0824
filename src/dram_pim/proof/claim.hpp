// The claim of one section of a proof, and the bounds that exclude a counterexample in a part of
// the space.
//
// A list of goals is proven goal by goal. The section of a goal claims that no mapping whose
// earlier goals are at their optima has a value of this goal below its optimum. The latency of a
// completion is in one of the brackets (T[k-1], T[k]] between ascending thresholds, where the last
// one is infinite. In bracket k it
//
//     takes at least    max(latency bound, the least latency above T[k-1])
//     spends at least   the energy so far + the least energy of completions no slower than T[k]
//
// and the bracket contains no counterexample if with these two values (and the least activations) a
// cap is exceeded or the goal's optimum is not undercut. A node is closed if this holds for all
// brackets. All ascending thresholds give a valid bound; good ones give a small tree.
#pragma once

#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "dram_pim/mapper/target.hpp"

namespace pimbb::dram_pim::proof {

enum class Verdict : std::uint8_t {
  open,   ///< a mapping below may refute the claim: continue
  bound,  ///< no mapping that keeps the caps is better than the optimum
  cap     ///< no mapping below keeps the caps
};

/// What a tree proves of the mappings in it.
class AnyClaim {
 public:
  AnyClaim() = default;
  AnyClaim(const AnyClaim&) = default;
  AnyClaim& operator=(const AnyClaim&) = default;
  virtual ~AnyClaim() = default;

  /// Of all mappings that cost no less than this.
  [[nodiscard]] virtual Verdict verdict(const mapper::Costs& least) const = 0;
  /// Whether a verdict is final: a better bound would not change it.
  [[nodiscard]] virtual bool settles(Verdict verdict) const = 0;
  /// Whether a record may say that bounds close every tile of the row buffer.
  [[nodiscard]] virtual bool has_closed_trees() const { return false; }
  /// The costs that it looks at: a goal with caps that depend on these.
  [[nodiscard]] virtual const mapper::Target& target() const = 0;

  /// `so_far.energy` excludes `energies`, the least that completions add in each bracket.
  [[nodiscard]] Verdict judge(const mapper::Costs& so_far, const Int128* energies,
                              const std::vector<Int128>& thresholds) const;
  /// Whether a complete mapping refutes the claim.
  [[nodiscard]] bool refuted_by(const mapper::Costs& costs) const {
    return verdict(costs) == Verdict::open;
  }
};

/// Adds latencies from `least` to `most` to thresholds, geometrically.
void spread(std::set<Int128>& thresholds, Int128 least, Int128 most);

class Claim : public AnyClaim {
 public:
  using Caps = std::vector<std::pair<Goal, Wide>>;

  /// The claim of goal number `position` among the mappings within `caps`; `optimum`: the costs of
  /// the mapping that attains all optima.
  Claim(const mapper::Scale& scale, const Objective& objective, std::size_t position,
        const mapper::Costs& optimum, const Caps& caps = {});
  /// The claim that no mapping is within `caps`; without caps, that there is none at all.
  Claim(const mapper::Scale& scale, const Objective& objective, const Caps& caps);

  [[nodiscard]] Goal goal() const { return goal_; }
  /// The goal with the caps of the earlier goals.
  [[nodiscard]] const mapper::Target& target() const override { return target_; }
  [[nodiscard]] Verdict verdict(const mapper::Costs& least) const override;
  [[nodiscard]] bool settles(Verdict verdict) const override {
    return verdict == Verdict::cap || (verdict == Verdict::bound && caps_.empty());
  }

  /// Useful thresholds, if no mapping costs less than `least` in any respect.
  [[nodiscard]] std::vector<Int128> thresholds(const mapper::Costs& least) const;
  /// Whether thresholds() needs to know `least`.
  [[nodiscard]] bool trades_off() const;

 private:
  void add_cap(Goal goal, const Wide& value);
  /// The goal, or else one that is capped, that trades latency for energy; and its value.
  [[nodiscard]] std::optional<std::pair<Goal, Wide>> traded() const;

  mapper::Target target_;
  Goal goal_;
  mapper::Costs optimum_;
  Caps caps_;                ///< limits, and the optima of earlier goals
  bool is_fastest_ = false;  ///< the latency is that of an earlier goal
  Wide value_;               ///< the optimum; infinite if there is none
};

}  // namespace pimbb::dram_pim::proof
