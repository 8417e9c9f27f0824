// Splits and their slices are enumerated here; the proof names the slices that have a tree.
//
// Let z be the claim: the optimum, goal by goal, or, of an infeasible problem, that no mapping is
// within the limits. Costs that exceed a limit, or that are not below z in the first goal in which
// they differ from it, are no better. Nor are any costs of which none is less: all goals grow with
// latency, energy and activations. These of the device grow with those of its part, the slice's
// mapping, and with the offer of the split: its time, energy and units.
//
// So a split is closed if the device's costs at the least cost of its slices are no better than z,
// and all splits of a slice if what no split undercuts is no better. For the others of a slice one
// tree shows that no mapping makes any of them better. A mapping attains z.
#include "check.hpp"

#include <algorithm>

#include "../document.hpp"
#include "../fields.hpp"
#include "../least_cost.hpp"
#include "problem.hpp"
#include "splits.hpp"

namespace pimbb_check::device {
namespace {

class DeviceProof {
 public:
  explicit DeviceProof(const std::string& instance) : problem_(instance) {}

  void check(Lines& lines, const ReadTree& read_tree, Report& report) {
    report.problem = problem_.description();
    if (lines.next() != "infeasible") {
      read_optimum(lines, report);
      read_mapping(lines.field("mapping"));
    }
    lines.next();
    const Splits splits(problem_);
    splits.for_each_slice([&](const Factors& bounds, const std::vector<Split>& all) {
      close(bounds, all, lines, read_tree, report);
    });
    require(lines.line() == "end", "'end' is wanted here");
    report.details = {
        std::to_string(splits_) + " splits into " + std::to_string(by_cost_ + by_size_ + by_tree_) +
            " slices: " + std::to_string(by_cost_) + " by their least cost, " +
            std::to_string(by_size_) + " too large, " + std::to_string(by_tree_) + " by a tree",
        std::to_string(report.leaves()) + " leaves in these, 0 assumed"};
  }

 private:
  /// What is claimed of the mappings of one slice under some offers.
  class Slice : public Whole {
   public:
    Slice(const DeviceProof& proof, const std::vector<Offer>& offers)
        : proof_(proof), offers_(offers) {}
    [[nodiscard]] bool may_be_better(const Cost& part) const override {
      return std::any_of(offers_.begin(), offers_.end(),
                         [&](const Offer& offer) { return proof_.is_better(offer, part); });
    }
    [[nodiscard]] bool looks_at(Goal cost) const override { return proof_.problem_.looks_at(cost); }

   private:
    const DeviceProof& proof_;
    const std::vector<Offer>& offers_;
  };

  [[nodiscard]] const std::vector<Goal>& goals() const { return problem_.layer().goals; }

  void read_optimum(const Lines& lines, Report& report) {
    const std::vector<std::string> word = lines.words();
    require(word[0] == "optimum" && word.size() == goals().size() + 1,
            "'infeasible' or 'optimum' with a value for each goal is wanted here");
    for (std::size_t g = 0; g < goals().size(); ++g) {
      optimum_.push_back(parse_rational(word[g + 1]));
      report.optimum.emplace_back(kGoalNames[static_cast<std::size_t>(goals()[g])], word[g + 1]);
    }
  }

  static Factors read_factors(const Json& json) {
    Factors factors{};
    for (std::size_t j = 0; j < kDims; ++j) factors[j] = integer(list(json, kDims)[j], 1, kMost);
    return factors;
  }

  /// The mapping that attains the optimum.
  void read_mapping(const std::string& text) const {
    const Json json = parse_normal(text, "mapping");
    constexpr std::array<std::string_view, 3> keys{"split", "slice", "mapping"};
    with_keys(json, keys, "mapping");
    Split split;
    require(json.at("split").is_array(), "mapping: a list of levels is wanted");
    for (const Json& level : json.at("split")) split.push_back(read_factors(level));
    const Factors slice = read_factors(json.at("slice"));
    require_split(problem_, split, slice);
    const pimbb_check::Problem part(problem_.slice_instance(slice));
    const Cost cost = cost_of_mapping(part, json.at("mapping").dump());
    const Cost all = problem_.costs(problem_.price(split, slice), cost);
    for (std::size_t g = 0; g < goals().size(); ++g) {
      require(problem_.value(goals()[g], all) == optimum_[g],
              "the mapping has another value of a goal");
    }
    require(within_limits(all), "the mapping is not within the limits");
  }

  [[nodiscard]] bool within_limits(const Cost& costs) const {
    const auto& limits = problem_.layer().at_most;
    return std::all_of(limits.begin(), limits.end(), [&](const auto& limit) {
      return problem_.value(limit.first, costs) <= limit.second;
    });
  }

  /// Whether the device may be better than what is claimed, if a slice costs no less than this.
  [[nodiscard]] bool is_better(const Offer& offer, const Cost& part) const {
    const Cost costs = problem_.costs(offer, part);
    if (!within_limits(costs)) return false;
    for (std::size_t g = 0; g < optimum_.size(); ++g) {
      const Rational value = problem_.value(goals()[g], costs);
      if (value != optimum_[g]) return value < optimum_[g];
    }
    return optimum_.empty();
  }

  void close(const Factors& bounds, const std::vector<Split>& splits, Lines& lines,
             const ReadTree& read_tree, Report& report) {
    splits_ += splits.size();
    const LeastCost least = least_cost(problem_.layer(), bounds);
    const Cost part{least.latency, least.energy, least.activations};
    const std::vector<Offer> offers = open_offers(bounds, splits, part);
    if (offers.empty()) {
      ++by_cost_;
    } else if (problem_.overflows_dram(bounds)) {
      ++by_size_;
    } else {
      const std::string record = "slice " + name_of(bounds);
      if (lines.line() != record) throw Refusal("'" + record + "' is wanted here");
      add(report, read_tree(problem_.slice_instance(bounds), Slice(*this, offers)));
      ++by_tree_;
      lines.next();
    }
  }

  /// Of the splits that the least cost does not close.
  [[nodiscard]] std::vector<Offer> open_offers(const Factors& bounds,
                                               const std::vector<Split>& splits,
                                               const Cost& least) const {
    std::vector<Offer> open;
    if (!is_better(problem_.nothing(), least)) return open;
    for (const Split& split : splits) {
      Offer offer = problem_.price(split, bounds);
      const bool beaten = std::any_of(open.begin(), open.end(), [&](const Offer& other) {
        return other.time <= offer.time && other.energy <= offer.energy &&
               other.units <= offer.units;
      });
      if (!beaten && is_better(offer, least)) open.push_back(std::move(offer));
    }
    return open;
  }

  /// R.S.P.Q.C.K.N, and .G where that is above 1.
  static std::string name_of(const Factors& bounds) {
    std::string name;
    for (std::size_t j = 0; j < kDims - (bounds[G] == 1 ? 1 : 0); ++j) {
      name += (j == 0 ? "" : ".") + std::to_string(bounds[j]);
    }
    return name;
  }

  static void add(Report& report, const Report& tree) {
    report.inner_nodes += tree.inner_nodes;
    report.by_bound += tree.by_bound;
    report.by_cap += tree.by_cap;
    report.evaluated += tree.evaluated;
    report.overflows += tree.overflows;
  }

  const Problem problem_;
  std::vector<Rational> optimum_;  // by goal; empty: infeasible
  std::uint64_t splits_ = 0;
  std::uint64_t by_cost_ = 0, by_size_ = 0, by_tree_ = 0;  // slices
};

}  // namespace

void check(Lines& lines, const std::optional<std::string>& instance, const ReadTree& read_tree,
           Report& report) {
  const std::string text = read_instance(lines, instance);
  DeviceProof(text).check(lines, read_tree, report);
}

}  // namespace pimbb_check::device
