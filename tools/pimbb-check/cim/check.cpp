// The order of the document.
#include "check.hpp"

#include "../sha256.hpp"

namespace pimbb_check::cim {

/// What is claimed of a problem, goal after goal.
class Sections {
 public:
  explicit Sections(const std::string& instance)
      : p_(instance), units_(p_), claim_(std::in_place, p_, units_), schemes_(p_, units_) {}

  [[nodiscard]] const Problem& problem() const { return p_; }
  [[nodiscard]] bool wants_claim() const { return !cost_ && !infeasible_; }
  [[nodiscard]] bool in_section() const { return schemes_.wants_record(); }
  [[nodiscard]] bool wants_goal() const {
    return cost_ && !in_section() && goals_ < p_.goals.size();
  }
  [[nodiscard]] bool complete() const {
    return !in_section() && (infeasible_ || (cost_ && goals_ == p_.goals.size()));
  }

  void mapping(const std::string& text) { cost_ = schemes_.cost_of(text); }
  void infeasible() {
    infeasible_ = true;
    schemes_.begin();
  }
  void goal(const std::string& name, const std::string& value) {
    const Goal goal = p_.goals[goals_++];
    require(name == kGoalNames[static_cast<std::size_t>(goal)], "another goal is wanted here");
    const Rational optimum = cost_->of(goal, p_);
    require(parse_rational(value) == optimum, "the mapping has another value of this goal");
    if (p_.semantics == Semantics::simulator) claim_.emplace(p_, units_);  // each goal alone
    claim_->begin(goal, optimum);
    schemes_.begin();
  }
  void close(const SchemeRecord& record) { schemes_.close(record, *claim_); }

  [[nodiscard]] std::string counts() const { return schemes_.counts(); }

 private:
  const Problem p_;
  const Units units_;
  std::optional<Claim> claim_;
  Schemes schemes_;
  std::optional<Cost> cost_;
  bool infeasible_ = false;
  std::size_t goals_ = 0;  // begun
};

Checker::Checker(std::optional<std::string> instance) : instance_(std::move(instance)) {}
Checker::~Checker() = default;

void Checker::enter() {
  require(!refused_, "an event before was refused");
  refused_ = true;
}

void Checker::begin(const std::string& hash, const std::string& instance) {
  enter();
  require(!sections_, "the proof has begun already");
  require(sha256(instance) == hash, "the instance has another hash");
  require(!instance_ || *instance_ == instance, "the proof is about another instance");
  sections_ = std::make_unique<Sections>(instance);
  report_.problem = sections_->problem().description();
  leave();
}

void Checker::incumbent(const std::string& mapping) {
  enter();
  require(sections_ && sections_->wants_claim(), "no mapping is wanted here");
  sections_->mapping(mapping);
  leave();
}

void Checker::infeasible() {
  enter();
  require(sections_ && sections_->wants_claim(), "no 'infeasible' is wanted here");
  sections_->infeasible();
  leave();
}

void Checker::goal(const std::string& name, const std::string& value) {
  enter();
  require(sections_ && sections_->wants_goal(), "no goal is wanted here");
  sections_->goal(name, value);
  report_.optimum.emplace_back(name, value);
  leave();
}

void Checker::scheme(const SchemeRecord& record) {
  enter();
  require(sections_ && sections_->in_section(), "no scheme is wanted here");
  sections_->close(record);
  leave();
}

void Checker::end() {
  enter();
  require(sections_ && sections_->complete() && !report_.accepted, "the proof ends too early");
  report_.accepted = true;
  report_.details = {sections_->counts()};
  leave();
}

}  // namespace pimbb_check::cim
