// The order of the document, and the reasons of the schemes.
#include "check.hpp"

#include <algorithm>

#include "../sha256.hpp"
#include "labels.hpp"
#include "mapping.hpp"

namespace pimbb_check::cim {

/// The schemes of a problem, one after the other for each goal.
class Schemes {
 public:
  explicit Schemes(const std::string& instance)
      : p_(instance),
        units_(p_),
        claim_(std::in_place, p_, units_),
        table_(p_.factors),
        all_(schemes(p_)),
        symmetric_(symmetric(p_)) {}

  [[nodiscard]] const Problem& problem() const { return p_; }
  [[nodiscard]] bool wants_claim() const { return !cost_ && !infeasible_; }
  [[nodiscard]] bool in_section() const { return next_ < all_.size() && in_section_; }
  [[nodiscard]] bool wants_goal() const {
    return cost_ && !in_section() && goals_ < p_.goals.size();
  }
  [[nodiscard]] bool complete() const {
    return !in_section() && (infeasible_ || (cost_ && goals_ == p_.goals.size()));
  }

  void mapping(const std::string& text) {
    cost_ = cost_of_mapping(p_, text);
    for (const auto& [goal, most] : p_.at_most) {
      require(cost_->of(goal, p_) <= most, "the mapping exceeds a limit on a goal");
    }
    for (const Scheme& scheme : all_) {
      require(!p_.full || cost_->products <= scheme.products(),
              "the mapping has more products than a scheme");
    }
  }
  void infeasible() {
    infeasible_ = true;
    begin_section();
  }
  void goal(const std::string& name, const std::string& value) {
    const Goal goal = p_.goals[goals_++];
    require(name == kGoalNames[static_cast<std::size_t>(goal)], "another goal is wanted here");
    const Rational optimum = cost_->of(goal, p_);
    require(parse_rational(value) == optimum, "the mapping has another value of this goal");
    if (p_.semantics == Semantics::simulator) claim_.emplace(p_, units_);  // each goal alone
    claim_->begin(goal, optimum);
    begin_section();
  }

  void close(Reason reason, std::uint64_t image) {
    const Scheme& scheme = all_[next_++];
    const auto number = std::to_string(next_ - 1);
    const auto expect = [&](Reason right) {
      if (reason != right) {
        throw Refusal("scheme " + number + ": the reason '" + static_cast<char>(right) +
                      "' is wanted here");
      }
      ++counts_[right == Reason::mirror     ? 0
                : right == Reason::no_loops ? 1
                : right == Reason::bound    ? 2
                                            : 3];
    };
    const Scheme mirror = scheme.mirrored();
    if (symmetric_ && mirror.spatial < scheme.spatial) {
      expect(Reason::mirror);
      require(image + 1 < next_ && all_[image].spatial == mirror.spatial,
              "another scheme is the mirror image");
      return;
    }
    if (scheme.products() == 1) {
      expect(Reason::no_loops);
      check_only(Space(p_, units_, scheme, table_), *claim_);
      return;
    }
    if (closed_at_once(p_, units_, scheme, *claim_)) return expect(Reason::bound);
    const Space space(p_, units_, scheme, table_);
    const Alone alone(space);
    if (closed_by_bound(space, alone, *claim_)) return expect(Reason::bound);
    expect(Reason::followed);
    follow_all(space, alone, *claim_, symmetric_ && mirror.spatial == scheme.spatial, work_);
  }

  [[nodiscard]] std::string counts() const {
    return std::to_string(all_.size()) + " schemes: " + std::to_string(counts_[2]) +
           " closed by bound, " + std::to_string(counts_[3]) + " searched (" +
           std::to_string(work_.states) + " states, " + std::to_string(work_.labels) +
           " labels), " + std::to_string(counts_[1]) + " without loops, " +
           std::to_string(counts_[0]) + " mirror images, 0 assumed";
  }

 private:
  void begin_section() {
    next_ = 0;
    in_section_ = true;
  }

  const Problem p_;
  const Units units_;
  std::optional<Claim> claim_;
  PlaceTable table_;
  const std::vector<Scheme> all_;
  const bool symmetric_;
  std::optional<Cost> cost_;
  bool infeasible_ = false, in_section_ = false;
  std::size_t goals_ = 0;  // begun
  std::size_t next_ = 0;   // scheme
  Work work_;
  std::array<std::uint64_t, 4> counts_{};  // of reasons
};

Checker::Checker(std::optional<std::string> instance) : instance_(std::move(instance)) {}
Checker::~Checker() = default;

void Checker::enter() {
  require(!refused_, "an event before was refused");
  refused_ = true;
}

void Checker::begin(const std::string& hash, const std::string& instance) {
  enter();
  require(!schemes_, "the proof has begun already");
  require(sha256(instance) == hash, "the instance has another hash");
  require(!instance_ || *instance_ == instance, "the proof is about another instance");
  schemes_ = std::make_unique<Schemes>(instance);
  report_.problem = schemes_->problem().description();
  leave();
}

void Checker::incumbent(const std::string& mapping) {
  enter();
  require(schemes_ && schemes_->wants_claim(), "no mapping is wanted here");
  schemes_->mapping(mapping);
  leave();
}

void Checker::infeasible() {
  enter();
  require(schemes_ && schemes_->wants_claim(), "no 'infeasible' is wanted here");
  schemes_->infeasible();
  leave();
}

void Checker::goal(const std::string& name, const std::string& value) {
  enter();
  require(schemes_ && schemes_->wants_goal(), "no goal is wanted here");
  schemes_->goal(name, value);
  report_.optimum.emplace_back(name, value);
  leave();
}

void Checker::scheme(Reason reason, std::uint64_t image) {
  enter();
  require(schemes_ && schemes_->in_section(), "no scheme is wanted here");
  schemes_->close(reason, image);
  leave();
}

void Checker::end() {
  enter();
  require(schemes_ && schemes_->complete() && !report_.accepted, "the proof ends too early");
  report_.accepted = true;
  report_.details = {schemes_->counts()};
  leave();
}

}  // namespace pimbb_check::cim
