// The vectors of bounds are counted up here, from the layer's own to their tops; the proof names
// those that it proves one by one. Its claim z is the lexicographic optimum of the goals.
//
// A vector is closed without a proof if the least costs of its mappings, goal by goal, are not
// lexicographically below z: the first goal in which they differ from z is greater there. With a
// proof it is closed if, among its mappings whose first goal is at most z's, there are none, or the
// best is not below z. Some vector must attain z.
#include "padded.hpp"

#include <algorithm>

#include "document.hpp"
#include "fields.hpp"
#include "least_cost.hpp"

namespace pimbb_check {
namespace {

using Values = std::vector<Rational>;

class PaddedProof {
 public:
  explicit PaddedProof(const std::string& text)
      : json_(parse_normal(text, "instance")), base_(read_base(json_)), problem_(base_.dump()) {
    const Json& tops = json_.at("tops");
    const bool grouped = tops.is_array() && tops.size() == kDims;
    tops_ = kOnes;
    for (std::size_t j = 0; j < kDims - (grouped ? 0 : 1); ++j) {
      const std::int64_t least =
          j == G ? std::max<std::int64_t>(2, problem_.bounds[j]) : problem_.bounds[j];
      tops_[j] = integer(list(tops, grouped ? kDims : kDims - 1)[j], least, kMost);
    }
    require(grouped || problem_.bounds[G] == 1, "instance: the tops have no groups");
    require(tops_ != problem_.bounds, "instance: tops that pad nothing");
    const Problem largest(instance_of(tops_, {}));  // within the range of layers
  }

  void check(Lines& lines, const ReadSlice& read_slice, Report& report) {
    report.problem = problem_.description() + "; bounds may grow to";
    for (std::size_t j = 0; j < kDims; ++j) {
      if (tops_[j] == problem_.bounds[j]) continue;
      report.problem += std::string(" ") + kDimLetters[j] + " " + std::to_string(tops_[j]);
    }
    lines.next();
    const bool feasible = lines.line() != "infeasible";
    if (feasible) read_optimum(lines, report);
    Factors bounds = problem_.bounds;
    bool attained = false;
    std::uint64_t by_form = 0;
    std::uint64_t by_proof = 0;
    std::string record = lines.next();
    for (bool more = true; more; more = advance(bounds)) {
      if (record != "slice " + name_of(bounds)) {
        if (!closed(bounds)) throw Refusal("'slice " + name_of(bounds) + "' is wanted here");
        ++by_form;
        continue;
      }
      require(lines.next() == "pimbb-proof/1", "'pimbb-proof/1' is wanted here");
      const Report slice = read_slice(instance_of(bounds, optimum_));
      attained = judge(slice) || attained;
      ++by_proof;
      add(report, slice);
      record = lines.next();
    }
    require(record == "end", "'end' is wanted here");
    require(attained || !feasible, "no bounds attain the optimum");
    report.details = {std::to_string(by_form + by_proof) +
                          " vectors of bounds: " + std::to_string(by_form) +
                          " by their least cost, " + std::to_string(by_proof) + " by a proof",
                      std::to_string(report.leaves()) + " leaves in these, 0 assumed"};
  }

 private:
  static Json read_base(const Json& json) {
    instance_object(json, {"format", "instance", "tops"});
    require(json.at("format") == "pimbb-padded-instance/1",
            "instance: the format is not pimbb-padded-instance/1");
    return json.at("instance");
  }

  void read_optimum(const Lines& lines, Report& report) {
    const std::vector<std::string> word = lines.words();
    require(word[0] == "optimum" && word.size() == problem_.goals.size() + 1,
            "'infeasible' or 'optimum' with a value for each goal is wanted here");
    for (std::size_t g = 0; g < problem_.goals.size(); ++g) {
      optimum_.push_back(parse_rational(word[g + 1]));
      report.optimum.emplace_back(kGoalNames[static_cast<std::size_t>(problem_.goals[g])],
                                  word[g + 1]);
    }
  }

  /// The problem with other bounds, and the first goal limited to that of `optimum`, if there is
  /// one.
  [[nodiscard]] std::string instance_of(const Factors& bounds, const Values& optimum) const {
    Json instance = base_;
    Json& numbers = instance.at("workload").at("bounds");
    numbers = Json::array();
    for (std::size_t j = 0; j < kDims - (bounds[G] == 1 ? 1 : 0); ++j) numbers.push_back(bounds[j]);
    if (optimum.empty()) return instance.dump();
    Json& objective = instance.at("objective");
    const Json first = objective.at("goals").at(0);
    Json limits = Json::array();
    bool there = false;
    const Json limit = Json::array({first, optimum.front().str()});
    if (objective.contains("at_most")) {
      for (const Json& old : objective.at("at_most")) {
        const bool same = old.at(0) == first;
        limits.push_back(same ? limit : old);
        there = there || same;
      }
    }
    if (!there) limits.push_back(limit);
    objective["at_most"] = limits;
    return instance.dump();
  }

  [[nodiscard]] std::string name_of(const Factors& bounds) const {
    std::string name;
    for (std::size_t j = 0; j < kDims - (tops_[G] == 1 ? 1 : 0); ++j) {
      name += (j == 0 ? "" : ".") + std::to_string(bounds[j]);
    }
    return name;
  }

  /// To the next vector, the last dimension first; false after the last one.
  bool advance(Factors& bounds) const {
    for (std::size_t j = kDims; j-- > 0;) {
      if (bounds[j] < tops_[j]) {
        ++bounds[j];
        return true;
      }
      bounds[j] = problem_.bounds[j];
    }
    return false;
  }

  /// Whether the least costs exclude all mappings of these bounds.
  [[nodiscard]] bool closed(const Factors& bounds) const {
    const LeastCost least = least_cost(problem_, bounds);
    for (const auto& [goal, most] : problem_.at_most) {
      if (least.of(goal, problem_) > most) return true;
    }
    for (std::size_t g = 0; g < optimum_.size(); ++g) {
      const Rational value = least.of(problem_.goals[g], problem_);
      if (value != optimum_[g]) return value > optimum_[g];
    }
    return !optimum_.empty();
  }

  /// Whether the optimum of some bounds is the claimed one; refuses a better one.
  [[nodiscard]] bool judge(const Report& slice) const {
    if (slice.optimum.empty()) return false;  // infeasible
    require(!optimum_.empty(), "some bounds have a mapping");
    for (std::size_t g = 0; g < optimum_.size(); ++g) {
      const Rational value = parse_rational(slice.optimum.at(g).second);
      if (value == optimum_[g]) continue;
      require(value > optimum_[g], "some bounds have a better mapping");
      return false;
    }
    return true;
  }

  static void add(Report& report, const Report& slice) {
    report.inner_nodes += slice.inner_nodes;
    report.by_bound += slice.by_bound;
    report.by_cap += slice.by_cap;
    report.evaluated += slice.evaluated;
    report.overflows += slice.overflows;
  }

  const Json json_;
  const Json base_;
  const Problem problem_;
  Factors tops_{};
  Values optimum_;
};

}  // namespace

void check_padded(Lines& lines, const std::optional<std::string>& instance,
                  const ReadSlice& read_slice, Report& report) {
  const std::string text = read_instance(lines, instance);
  PaddedProof(text).check(lines, read_slice, report);
}

}  // namespace pimbb_check
