// The order of the document, the goals and the storage choices; the trees are in tree.hpp.
#include "check.hpp"

#include <algorithm>
#include <utility>

#include "incumbent.hpp"
#include "sha256.hpp"
#include "tree.hpp"

namespace pimbb_check {

/// The trees of all goals, in integers of either width.
class Section {
 public:
  virtual ~Section() = default;
  virtual void part_of(const Whole& whole) = 0;
  /// Of a goal; without one, of the claim that nothing is within the limits.
  virtual void goal(std::optional<Goal> goal, const std::vector<std::string>& thresholds) = 0;
  virtual void storage(const std::vector<Flags>& stores) = 0;
  /// A storage choice all of whose row-buffer tiles their bounds close.
  virtual void storage_closed(const std::vector<Flags>& stores) = 0;
  virtual void node(Record record, const Factors& tile, char loops) = 0;
  virtual void ordered(const std::string& loops) = 0;
  [[nodiscard]] virtual bool open() const = 0;  ///< records are missing
  [[nodiscard]] virtual Wanted wanted() const = 0;
  [[nodiscard]] virtual bool grants(Record reason) = 0;
};

namespace {

template <class Int>
class Sections : public Section {
 public:
  Sections(const Problem& p, const std::optional<Cost>& incumbent, Space space, Units units)
      : p_(p),
        units_(std::move(units)),
        space_(std::move(space)),
        neighbours_(space_),
        unrolling_(p, space_),
        prices_(p, units_),
        rows_(p, space_) {
    const Rational alpha = p.alpha / units_.latency;
    const Rational beta = p.beta / units_.energy;
    const cpp_int unit = lcm(denominator(alpha), denominator(beta));
    claim_.alpha = scaled<Int>(alpha, unit);
    claim_.beta = scaled<Int>(beta, unit);
    for (const auto& [goal, most] : p.at_most) add_limit(goal, most, unit);
    if (!incumbent) return;
    claim_.optimum = scaled_costs(*incumbent);
  }

  /// The claim is about the whole that mappings are a part of.
  void part_of(const Whole& whole) override {
    claim_.whole.emplace();
    for (const Cost& cost : whole.as_good()) as_good_.push_back(scaled_costs(cost));
    claim_.whole->may_be_better = [this, &whole](Int latency, Int energy, Int activations) {
      if (is_as_good({latency, energy, activations})) return false;
      return whole.only_as_good() ||
             whole.may_be_better({Rational(cpp_int(latency), units_.latency),
                                  Rational(cpp_int(energy), units_.energy),
                                  Rational(cpp_int(activations), cpp_int(p_.row_units))});
    };
    claim_.whole->looks_at = {whole.looks_at(Goal::latency), whole.looks_at(Goal::energy),
                              whole.looks_at(Goal::activations)};
  }

  void goal(std::optional<Goal> goal, const std::vector<std::string>& thresholds) override {
    if (claim_.whole) {
      // Nothing: it has its goals.
    } else if (goal) {
      claim_.add(*goal);
    } else {
      claim_.none = true;
      // Without limits orders are compared by the first goal, which nothing exceeds.
      if (claim_.goals.empty())
        claim_.add_limit(p_.goals.front(), most_of_all().convert_to<Wide>());
    }
    claim_.thresholds.clear();
    require(!thresholds.empty() && thresholds.size() <= Completion<Int>::kMostThresholds &&
                thresholds.back() == "inf",
            "1 to 64 thresholds are wanted, the last one 'inf'");
    Rational last = 0;
    for (std::size_t k = 0; k + 1 < thresholds.size(); ++k) {
      const Rational exact = parse_rational(thresholds[k]) * units_.latency;
      require(exact > last, "the thresholds do not ascend");
      last = exact;
      // Latencies are integers: the greatest one below. Brackets above all latencies are empty.
      const cpp_int below = (numerator(exact) - 1) / denominator(exact);
      if (below < cpp_int(kInfinity<Int>)) claim_.thresholds.push_back(narrow<Int>(below));
    }
    claim_.thresholds.push_back(kInfinity<Int>);
    if (claim_.whole) claim_.whole->prepare(claim_.thresholds);
  }
  void storage(const std::vector<Flags>& stores) override {
    tree_.emplace(p_, space_, neighbours_, unrolling_, prices_, stores, claim_, rows_);
  }
  void storage_closed(const std::vector<Flags>& stores) override {
    require(claim_.whole.has_value(), "an unknown record");
    storage(stores);
    tree_->close_root();
  }
  void node(Record record, const Factors& tile, char loops) override {
    tree_->check(record, tile, loops);
  }
  void ordered(const std::string& loops) override { tree_->check_order(loops); }
  [[nodiscard]] bool open() const override { return tree_ && !tree_->closed(); }
  [[nodiscard]] Wanted wanted() const override { return tree_->wanted(); }
  [[nodiscard]] bool grants(Record reason) override { return tree_->grants(reason); }

 private:
  using Wide = Wider<Int>;

  [[nodiscard]] std::array<Int, 3> scaled_costs(const Cost& cost) const {
    return {scaled<Int>(cost.latency, units_.latency), scaled<Int>(cost.energy, units_.energy),
            scaled<Int>(cost.activations, cpp_int(p_.row_units))};
  }
  /// Whether a cost of as_good() is no more, in what the whole looks at: nothing is better.
  [[nodiscard]] bool is_as_good(const std::array<Int, 3>& costs) const {
    const auto no_more = [&](const std::array<Int, 3>& one) {
      for (std::size_t k = 0; k < one.size(); ++k) {
        if (claim_.whole->looks_at[k] && one[k] > costs[k]) return false;
      }
      return true;
    };
    return std::any_of(as_good_.begin(), as_good_.end(), no_more);
  }
  /// The greatest scaled value within the limit; one that no cost reaches limits nothing.
  void add_limit(Goal goal, const Rational& most, const cpp_int& blend_unit) {
    const cpp_int unit = goal == Goal::latency       ? units_.latency
                         : goal == Goal::energy      ? units_.energy
                         : goal == Goal::activations ? cpp_int(p_.row_units)
                         : goal == Goal::edp         ? cpp_int(units_.latency * units_.energy)
                                                     : blend_unit;
    const Rational scaled_most = most * unit;
    const cpp_int whole = numerator(scaled_most) / denominator(scaled_most);
    claim_.add_limit(goal, cpp_int(std::min(whole, most_of_all())).convert_to<Wide>());
  }
  /// No value is above it.
  static cpp_int most_of_all() { return 2 * cpp_int(kInfinity<Int>) * cpp_int(kInfinity<Int>); }

  const Problem& p_;
  const Units units_;
  const Space space_;
  const Neighbours neighbours_;
  const Unrolling unrolling_;
  const Prices<Int> prices_;
  RowTable rows_;
  Claim<Int> claim_;
  std::vector<std::array<Int, 3>> as_good_;  // of the whole
  std::optional<Tree<Int>> tree_;
};

std::unique_ptr<Section> sections(const Problem& p, const std::optional<Cost>& incumbent) {
  const Space space(p);
  const Units units(p);
  if (fit_62_bits(p, space, units)) {
    return std::make_unique<Sections<std::int64_t>>(p, incumbent, space, units);
  }
  return std::make_unique<Sections<Int128>>(p, incumbent, space, units);
}

}  // namespace

Checker::Checker(std::optional<std::string> instance) : instance_(std::move(instance)) {}
Checker::~Checker() = default;

void Checker::enter() {
  require(!refused_, "an event before was refused");
  refused_ = true;
}

void Checker::begin(const std::string& hash, const std::string& instance) {
  enter();
  require(!p_, "the proof has begun already");
  require(sha256(instance) == hash, "the instance has another hash");
  require(!instance_ || *instance_ == instance, "the proof is about another instance");
  p_.emplace(instance);
  report_.problem = p_->description();
  leave();
}

void Checker::incumbent(const std::string& mapping) {
  enter();
  require(p_ && !section_ && !infeasible_, "no mapping is wanted here");
  incumbent_ = cost_of_mapping(*p_, mapping);
  for (const auto& [goal, most] : p_->at_most) {
    require(incumbent_.of(goal, *p_) <= most, "the mapping is not within the limits");
  }
  section_ = sections(*p_, incumbent_);
  leave();
}

void Checker::infeasible() {
  enter();
  require(p_ && !section_ && !infeasible_, "no 'infeasible' is wanted here");
  infeasible_ = true;
  if (p_->at_most.empty() && !p_->constraints.any()) {
    next_storage();
  } else {  // trees in which nothing is within the limits
    section_ = sections(*p_, std::nullopt);
    wants_thresholds_ = true;
  }
  leave();
}

void Checker::part(const std::string& instance, const Whole& whole) {
  enter();
  require(!p_, "the proof has begun already");
  p_.emplace(instance);
  infeasible_ = true;
  section_ = sections(*p_, std::nullopt);
  section_->part_of(whole);
  wants_thresholds_ = true;
  leave();
}

void Checker::goal(const std::string& name, const std::string& value) {
  enter();
  require(section_ && !infeasible_ && goals_ < p_->goals.size() && stores_.empty() &&
              !section_->open() && !wants_thresholds_,
          "no goal is wanted here");
  const Goal goal = p_->goals[goals_++];
  require(name == kGoalNames[static_cast<std::size_t>(goal)], "another goal is wanted here");
  require(parse_rational(value) == incumbent_.of(goal, *p_),
          "the mapping has another value of this goal");
  report_.optimum.emplace_back(name, value);
  wants_thresholds_ = true;
  leave();
}

void Checker::thresholds(const std::vector<std::string>& latencies) {
  enter();
  require(wants_thresholds_, "no thresholds are wanted here");
  wants_thresholds_ = false;
  section_->goal(infeasible_ ? std::nullopt : std::optional(p_->goals[goals_ - 1]), latencies);
  next_storage();
  leave();
}

/// All storage choices: every subset of what a level with free bypass stores, the innermost level
/// varying slowest; the tensors dropped, read as a binary number with the input as its last digit,
/// ascend. Those that the constraints exclude are left out. After the last one none comes next.
void Checker::next_storage() {
  bool first = stores_.empty();
  if (first) dropped_.assign(p_->levels.size(), 0);
  do {
    if (!advance(first)) return;
    first = false;
  } while (!within_constraints());
}

/// To the first choice, or to the next one; false if there is none.
bool Checker::advance(bool first) {
  std::size_t m = p_->levels.size();
  for (bool more = first; !more;) {
    if (m-- == 0) {
      stores_.clear();
      return false;
    }
    const Level& level = p_->levels[m];
    const unsigned storable = level.stores[0] + 2U * level.stores[1] + 4U * level.stores[2];
    const unsigned free = level.bypass_free ? storable : 0;
    more = dropped_[m] != free;
    dropped_[m] = more ? ((dropped_[m] | ~free) + 1) & free : 0;  // the next subset
  }
  stores_.clear();
  for (m = 0; m < p_->levels.size(); ++m) {
    Flags flags = p_->levels[m].stores;
    for (std::size_t t = 0; t < 3; ++t) flags[t] = flags[t] && (dropped_[m] >> t & 1U) == 0;
    stores_.push_back(flags);
  }
  return true;
}

bool Checker::within_constraints() const {
  for (std::size_t m = 0; m < stores_.size(); ++m) {
    if (!p_->constraints.keeps(m, stores_[m])) return false;
  }
  return true;
}

std::string Checker::next_storage_name() const {
  std::string name;
  for (const Flags& flags : stores_) {
    if (!name.empty()) name += '/';
    for (std::size_t t = 0; t < 3; ++t) name += flags[t] ? kTensorLetters[t] : '-';
  }
  return name;
}

void Checker::expect_storage(const std::string& stores) {
  require(!stores_.empty() && !(section_ && section_->open()), "no storage choice is wanted here");
  const std::string name = next_storage_name();
  if (stores != name) throw Refusal("storage choice '" + name + "' is wanted here");
}

void Checker::storage(const std::string& stores) {
  enter();
  expect_storage(stores);
  require(section_ != nullptr, "an infeasible problem has no trees");
  require(!overflows(p_->dram()), "the DRAM cannot hold the layer");
  ++report_.inner_nodes;
  section_->storage(stores_);
  next_storage();
  leave();
}

void Checker::storage_closed(const std::string& stores) {
  enter();
  expect_storage(stores);
  require(section_ != nullptr, "an unknown record");
  require(!overflows(p_->dram()), "the DRAM cannot hold the layer");
  section_->storage_closed(stores_);
  ++report_.by_bound;
  next_storage();
  leave();
}

void Checker::overflow(const std::string& stores, std::size_t level) {
  enter();
  expect_storage(stores);
  require(grants_overflow(level), "the level does not overflow");
  ++report_.overflows;
  next_storage();
  leave();
}

/// Whether a level of the next storage choice overflows with the whole layer (DRAM) or one element
/// of each tensor (elsewhere).
bool Checker::overflows(std::size_t m) const {
  Int128 bytes = 0;
  for (std::size_t t = 0; t < 3; ++t) {
    if (!stores_[m][t]) continue;
    const Int128 one = p_->bytes(t, m == p_->dram() ? p_->bounds : kOnes);
    bytes = m == p_->row_buffer() ? std::max(bytes, one) : bytes + one;
  }
  return p_->levels[m].capacity && bytes > *p_->levels[m].capacity;
}

Wanted Checker::wanted() const {
  if (section_ && section_->open()) return section_->wanted();
  if (stores_.empty()) return {};
  return {Wanted::storage, next_storage_name(), {}, ' '};
}

bool Checker::grants(Record reason) {
  return section_ && section_->open() && section_->grants(reason);
}

bool Checker::grants_overflow(std::size_t level) const {
  return level < p_->levels.size() && overflows(level);
}

void Checker::node(Record record, const Factors& tile, char loops) {
  enter();
  require(section_ && section_->open(), "no node is wanted here");
  section_->node(record, tile, loops);
  switch (record) {
    case Record::inner: ++report_.inner_nodes; break;
    case Record::bound: ++report_.by_bound; break;
    case Record::cap: ++report_.by_cap; break;
    case Record::evaluated: ++report_.evaluated; break;
  }
  leave();
}

void Checker::ordered(const std::string& loops) {
  enter();
  require(section_ && section_->open(), "no node is wanted here");
  section_->ordered(loops);
  ++report_.inner_nodes;
  leave();
}

void Checker::end() {
  enter();
  const bool closed = !wants_thresholds_ && !(section_ && section_->open());
  const bool proven = section_ && goals_ == p_->goals.size();
  require(closed && (proven || infeasible_) && stores_.empty() && !report_.accepted,
          "the proof ends too early");
  report_.accepted = true;
  leave();
}

}  // namespace pimbb_check
