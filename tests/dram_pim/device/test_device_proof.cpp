// Proofs of layers on whole devices: accepted as they are, refused with one thing wrong, and no
// proof of a false claim whatever an adversary writes.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "dram_pim/device/golden.hpp"
#include "dram_pim/device/random_device.hpp"
#include "dram_pim/device/split_space.hpp"
#include "pimbb-check/check.hpp"
#include "pimbb-check/device/check.hpp"
#include "pimbb-check/device/splits.hpp"
#include "pimbb-check/sha256.hpp"
#include "pimbb/dram_pim/device_proof.hpp"
#include "pimbb/dram_pim/io.hpp"
#include "pimbb/error.hpp"
#include "support/cases.hpp"
#include "support/certify.hpp"
#include "support/choices.hpp"
#include "support/full_size.hpp"
#include "support/grow_trees.hpp"
#include "support/slice_proofs.hpp"
#include "support/texts.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using testkit::DeviceInstance;
using testkit::replaced;
using testkit::SliceProofs;
using texts::contains;

namespace {

Question question_about(const DeviceInstance& i) {
  Question question;
  question.objective = i.objective;
  question.row_model = i.row_model;
  return question;
}

/// An answer with its proof.
struct Proven {
  DeviceSolution solution;
  std::string text;
  DeviceProofSize size;
};

Proven proven(const DeviceInstance& i, const Question& question, int threads = 1) {
  Proven p;
  p.solution = solve(i.device, i.layer, i.moves, question, {.threads = threads});
  p.size = prove(i.device, i.layer, i.moves, question, {.threads = threads}, p.solution,
                 [&](std::string_view piece) { p.text += piece; });
  return p;
}

bool refuses(const std::string& proof) { return !testkit::checked(proof).accepted; }

/// Why the checker does not accept a proof with the optima of its solution.
std::string complaint_about(const Proven& p) {
  const auto report = testkit::checked(p.text);
  if (!report.accepted) return report.reason;
  if (report.leaves() != p.size.leaves || report.bytes != p.size.bytes) return "sizes differ";
  const bool optimal = p.solution.status == Status::optimal;
  if (report.optimum.size() != (optimal ? p.solution.goals.size() : 0)) return "goals differ";
  for (std::size_t g = 0; g < report.optimum.size(); ++g) {
    if (report.optimum[g].second != p.solution.goals[g].value.to_string()) return "values differ";
  }
  return "";
}

/// Another problem with the same proof: something in the instance is replaced.
std::string about_another(const std::string& proof, const std::string& from,
                          const std::string& to) {
  std::istringstream stream(proof);
  std::string format;
  std::string hash;
  std::string instance;
  std::getline(stream, format);
  std::getline(stream, hash);
  std::getline(stream, instance);
  const std::size_t rest = format.size() + hash.size() + instance.size() + 3;
  instance = replaced(instance.substr(9), from, to);
  return format + "\nsha256 " + pimbb_check::sha256(instance) + "\ninstance " + instance + "\n" +
         proof.substr(rest);
}

constexpr std::array<const char*, 10> kObjectives{"latency",
                                                  "energy",
                                                  "edp",
                                                  "blended",
                                                  "energy,latency",
                                                  "latency,energy,activations",
                                                  "edp,latency",
                                                  "energy,activations",
                                                  "blended,energy,latency",
                                                  "activations,edp"};

/// Random devices with every goal, phases of both kinds, static power, padding.
DeviceInstance drawn(std::uint64_t seed) {
  DeviceInstance i = testkit::random_device_instance(seed, {.macs = 16, .levels = 4});
  testkit::set_goals(i.objective, kObjectives.at(seed % kObjectives.size()));
  if (seed % 3 == 0) i.device.static_power = Rational(1, 4);
  if (seed % 7 == 0) i.layer.padding = Padding::parse("P=1,K=1", "pad");
  if (seed % 11 == 0) i.layer.padding = Padding::parse("50%", "pad");
  return i;
}

DeviceInstance pair_of(const char* goals) {
  DeviceInstance i;
  i.device = parse_device(R"({name: pair, unit: simple_pim, launch: 7, static_power: 0.25,
      refresh: {interval: 39, duration: 4}, host: {reduce_energy: 1, reduce_bandwidth: 2}, levels: [
      {name: unit, count: 4, write_bandwidth: 4, read_bandwidth: 2, broadcast: true, energy: 0.25},
      {name: channel, count: 2, write_bandwidth: 3, read_bandwidth: 5, lockstep: true}]})",
                          "device");
  i.layer = parse_workload("{R: 1, S: 1, P: 6, Q: 1, C: 9, K: 10, N: 1}", "layer");
  i.objective = Objective::parse(goals);
  return i;
}

/// A problem on such a device whose proof has several trees.
DeviceInstance with_trees(const char* goals) {
  DeviceInstance i = pair_of(goals);
  for (std::uint64_t seed = 76'000'000;; ++seed) {
    const DeviceInstance drawn = testkit::random_device_instance(seed, {.macs = 36, .levels = 4});
    i.device.unit = drawn.device.unit;
    i.layer = drawn.layer;
    i.row_model = drawn.row_model;
    const Proven p = proven(i, question_about(i));
    if (p.solution.status == Status::optimal && p.size.trees > 1) return i;
  }
}

}  // namespace

TEST_CASE("proofs of random devices are accepted, and none without one of its trees") {
  std::size_t trees = 0;
  std::size_t infeasible = 0;
  const std::uint64_t first = testkit::first_seed(71'000'000);
  for (std::uint64_t seed = first; seed < first + testkit::cases(400); ++seed) {
    CAPTURE(seed);
    const DeviceInstance i = drawn(seed);
    const Proven p = proven(i, question_about(i));
    CHECK(complaint_about(p) == "");
    const SliceProofs parts(p.text);
    CHECK(parts.text() == p.text);
    CHECK(parts.slices.size() == p.size.trees);
    for (std::size_t k = 0; k < std::min<std::size_t>(6, parts.slices.size()); ++k) {
      CHECK(refuses(parts.without(k).text()));
      CHECK(refuses(parts.twice(k).text()));
    }
    trees += p.size.trees;
    infeasible += p.solution.status == Status::infeasible ? 1 : 0;
  }
  CHECK((trees > 250 || testkit::cases(400) < 400));
  CHECK((infeasible > 0 || testkit::cases(400) < 400));
}

TEST_CASE("the checker's own splits and prices are those of the library") {
  namespace checker = pimbb_check::device;
  for (std::uint64_t seed = 0; seed < testkit::cases(200); ++seed) {
    CAPTURE(seed);
    const DeviceInstance i = drawn(75'000'000 + seed);
    const checker::Problem problem(
        canonical_instance(i.device, i.layer, i.moves, question_about(i)));
    std::vector<Factors> theirs;
    const device::SplitSpace space(i.device, i.layer, i.moves);
    checker::Splits(problem).for_each_slice(
        [&](const Factors& bounds, const std::vector<checker::Split>& splits) {
          theirs.push_back(bounds);
          std::vector<Split> sorted = splits;
          std::vector<Split> expected = space.splits(bounds);
          std::ranges::sort(sorted);
          std::ranges::sort(expected);
          CHECK(sorted == expected);
          for (const Split& split : splits) {
            const SplitCost cost = split_cost(i.device, i.layer, i.moves, split, bounds);
            const checker::Offer offer = problem.price(split, bounds);
            const GoalCosts costs = device_costs(i.device, cost, {3, 5, 7});
            const pimbb_check::Cost same = problem.costs(offer, {3, 5, 7});
            CHECK(same.latency.str() == costs.latency.to_string());
            CHECK(same.energy.str() == costs.energy.to_string());
            CHECK(same.activations.str() == costs.activations.to_string());
          }
        });
    std::vector<Factors> ours;
    space.for_each_slice([&](const Factors& bounds, std::int64_t) {
      ours.push_back(bounds);
      return true;
    });
    CHECK(theirs == ours);  // in the same order
  }
}

TEST_CASE("the checker looks at the costs that a goal or a limit depends on") {
  namespace checker = pimbb_check::device;
  for (const bool draws_power : {false, true}) {
    CAPTURE(draws_power);
    for (const char* goals : {"latency", "energy", "edp", "blended", "activations",
                              "latency,activations", "energy,activations"}) {
      CAPTURE(goals);
      DeviceInstance i = pair_of(goals);
      if (!draws_power) i.device.static_power = 0;
      i.objective.alpha = Rational(1, 2);
      i.objective.beta = Rational(1, 2);
      const checker::Problem problem(
          canonical_instance(i.device, i.layer, i.moves, question_about(i)));
      const pimbb_check::Cost part{3, 5, 7};
      const std::array<std::pair<pimbb_check::Goal, pimbb_check::Cost>, 3> more{
          {{pimbb_check::Goal::latency, {4, 5, 7}},
           {pimbb_check::Goal::energy, {3, 6, 7}},
           {pimbb_check::Goal::activations, {3, 5, 8}}}};
      for (const auto& each : more) {
        CAPTURE(static_cast<int>(each.first));
        bool counts = false;
        for (const pimbb_check::Goal goal : problem.layer().goals) {
          const auto value = [&](const pimbb_check::Cost& of) {
            return problem.value(goal, problem.costs(problem.nothing(), of));
          };
          counts = counts || value(part) != value(each.second);
        }
        CHECK(problem.looks_at(each.first) == counts);
      }
    }
  }
}

TEST_CASE("the checker takes a single group only where groups may grow") {
  DeviceInstance i = pair_of("latency");
  i.layer.padding = Padding::parse("P=1", "pad");
  const std::string text = canonical_instance(i.device, i.layer, i.moves, question_about(i));
  const std::string growth = "\"growth\":[0,0,1,0,0,0,0,0],\"single_group\":";
  REQUIRE(contains(text, growth + "false"));
  CHECK_NOTHROW(pimbb_check::device::Problem{text});
  const auto with = [&](const char* groups) {
    return replaced(text, growth + "false",
                    "\"growth\":[0,0,1,0,0,0,0," + std::string(groups) + "],\"single_group\":true");
  };
  CHECK_THROWS(pimbb_check::device::Problem{with("0")});
  CHECK_NOTHROW(pimbb_check::device::Problem{with("1")});
  CHECK_NOTHROW(pimbb_check::device::Problem{with("\"3/2\"")});
}

TEST_CASE("proofs of devices do not depend on the number of threads") {
  for (std::uint64_t seed = 0; seed < testkit::cases(20); ++seed) {
    CAPTURE(seed);
    const DeviceInstance i = drawn(72'000'000 + seed);
    CHECK(proven(i, question_about(i), 1).text == proven(i, question_about(i), 3).text);
  }
}

TEST_CASE("proofs of devices under limits and constraints") {
  DeviceInstance i = pair_of("energy");
  i.device.static_power = 0;
  Question question = question_about(i);
  const Proven free = proven(i, question);
  CHECK(complaint_about(free) == "");
  question.objective = Objective::parse("latency");
  const Rational fastest = proven(i, question).solution.goals.at(0).value;
  question.objective = i.objective;
  question.caps = {{Goal::latency, fastest}, {Goal::activations, 1000}};
  const Proven limited = proven(i, question);
  CHECK(complaint_about(limited) == "");
  CHECK(limited.solution.goals.at(0).value >= free.solution.goals.at(0).value);
  CHECK(contains(testkit::checked(limited.text).problem, "latency at most"));
  question.caps = {{Goal::latency, fastest - Rational(1, 1000)}};
  const Proven none = proven(i, question);
  CHECK(none.solution.status == Status::infeasible);
  CHECK(complaint_about(none) == "");
  question.caps.clear();
  question.constraints = parse_constraints("{spatial: {H: {K: 5}}}", "c.yaml", i.device.unit);
  const Proven constrained = proven(i, question);
  CHECK(constrained.solution.status == Status::optimal);
  CHECK(complaint_about(constrained) == "");
  CHECK(contains(testkit::checked(constrained.text).problem, "H.K = 5"));
  // A bank that holds no slice, and one that holds small ones.
  MemoryLevel& dram = i.device.unit.levels.back();
  question.constraints = {};
  for (const std::int64_t bytes : {1, 60, 120, 240, 100000}) {
    dram.capacity = bytes;
    const Proven p = proven(i, question);
    CHECK(complaint_about(p) == "");
    if (bytes == 1) {
      CHECK(p.solution.status == Status::infeasible);
      CHECK(!contains(testkit::checked(p.text).details.at(0), " 0 too large"));
    }
    if (bytes == 100000) CHECK(p.solution.status == Status::optimal);
  }
}

TEST_CASE("forged proofs of devices are refused") {
  for (const char* goals : {"latency", "energy", "edp", "latency,energy"}) {
    CAPTURE(goals);
    const DeviceInstance i = with_trees(goals);
    const Proven p = proven(i, question_about(i));
    REQUIRE(complaint_about(p) == "");
    const SliceProofs parts(p.text);
    REQUIRE(!parts.slices.empty());
    const std::size_t stride = testkit::slow_build() ? 5 : 1;
    for (std::size_t k = 0; k < parts.slices.size(); k += stride) {
      CAPTURE(k);
      CHECK(refuses(parts.without(k).text()));
      CHECK(refuses(parts.twice(k).text()));
      if (parts.slices.size() == 1) continue;
      const std::size_t other = (k + 1) % parts.slices.size();
      // Storage choices that are closed as a whole have the same record in every tree.
      if (contains(parts.slices[other], "\ns ")) {
        CHECK(refuses(parts.exchanged(k, other).text()));
      }
      CHECK(refuses(parts.swapped(k, other).text()));
    }
    const Rational value = p.solution.goals.at(0).value;
    const std::string optimum = "optimum " + value.to_string();
    for (const Rational& claim : {value * Rational(9, 10), value - 1, value + 1, value * 2}) {
      CHECK(refuses(replaced(p.text, optimum, "optimum " + claim.to_string())));
    }
    CHECK(refuses(replaced(p.text, optimum, "infeasible")));
    CHECK(refuses(p.text + "end\n"));
    CHECK(refuses(parts.head + "end\n"));
    CHECK(refuses(p.text.substr(0, p.text.size() - 4)));
    // Other figures of the device, of what moves, of the layer: other optima.
    for (const auto& change : std::initializer_list<std::pair<const char*, const char*>>{
             {"\"launch\":\"7\"", "\"launch\":\"8\""},
             {"\"launch\":\"7\"", "\"launch\":\"6\""},
             {"[\"39\",\"4\"]", "[\"39\",\"5\"]"},
             {"\"refresh\":[\"39\",\"4\"]", "\"refresh\":null"},
             {"\"phases\":\"sequential\"", "\"phases\":\"overlapped\""},
             {"\"read_bandwidth\":\"2\",\"broadcast\"", "\"read_bandwidth\":\"1\",\"broadcast\""},
             {"\"moves\":[true,false,true]", "\"moves\":[true,true,true]"}}) {
      CAPTURE(change.first);
      CAPTURE(change.second);
      CHECK(refuses(about_another(p.text, change.first, change.second)));
    }
    // Forms that are not normal.
    CHECK(refuses(about_another(p.text, "\"launch\":\"7\"", "\"launch\":\"14/2\"")));
    CHECK(refuses(about_another(p.text, "\"launch\":\"7\"", "\"launch\":7")));
    CHECK(refuses(about_another(p.text, ",\"moves\"", ", \"moves\"")));
    CHECK(refuses(about_another(p.text, "\"count\":2", "\"count\":0")));
    CHECK(refuses(about_another(p.text, "\"name\":\"channel\"", "\"name\":\"unit\"")));
    CHECK(refuses(about_another(p.text, "[\"39\",\"4\"]", "[\"39\",\"39\"]")));
    CHECK(refuses(about_another(
        p.text, "true]}", "true],\"pad\":{\"growth\":[0,0,0,0,0,0,0,0],\"single_group\":false}}")));
    // The instance is named: another one does not pass for it.
    std::istringstream stream(p.text);
    CHECK(!pimbb_check::check(stream, "{}").accepted);
    std::istringstream same(p.text);
    CHECK(
        pimbb_check::check(same, canonical_instance(i.device, i.layer, i.moves, question_about(i)))
            .accepted);
  }
}

// Layers that can only be split in two, by one level or the other: what one of them saves in energy
// does not excuse the other's time.
TEST_CASE("a split that takes less time counts beside one of less energy") {
  const auto with = [](DeviceInstance i, const std::string& first, const std::string& second) {
    const dram_pim::Architecture unit = i.device.unit;
    i.device =
        parse_device("{name: two, unit: simple_pim, levels: [{name: first, count: 2, dims: [K], " +
                         first + "}, {name: second, count: 2, dims: [K], " + second + "}]}",
                     "device");
    i.device.unit = unit;
    i.layer.bounds[index(Dim::K)] = 2;
    i.layer.padding.reset();
    i.objective = Objective::parse("latency");
    return i;
  };
  const std::string slow = "write_bandwidth: 8, read_bandwidth: 8, energy: 0";
  const std::string slower = "write_bandwidth: 7, read_bandwidth: 7, energy: 1";
  const std::string fast = "write_bandwidth: 9, read_bandwidth: 9, energy: 1";
  std::size_t forged = 0;
  for (std::uint64_t seed = 77'000'000; seed < 77'000'000 + testkit::cases(60); ++seed) {
    CAPTURE(seed);
    const DeviceInstance i = testkit::random_device_instance(seed, {.macs = 36, .levels = 4});
    for (const bool exchanged : {false, true}) {
      CAPTURE(exchanged);
      const DeviceInstance before = exchanged ? with(i, slower, slow) : with(i, slow, slower);
      const DeviceInstance after = exchanged ? with(i, fast, slow) : with(i, slow, fast);
      const Proven p = proven(before, question_about(before));
      const Proven better = proven(after, question_about(after));
      if (p.solution.status != Status::optimal || p.size.trees == 0) continue;
      if (better.solution.goals[0].value == p.solution.goals[0].value) continue;
      const auto text = [](const DeviceInstance& of) {
        return canonical_instance(of.device, of.layer, of.moves, question_about(of));
      };
      CHECK(refuses(about_another(p.text, text(before), text(after))));
      ++forged;
    }
  }
  CHECK((forged > 0 || testkit::slow_build()));
}

TEST_CASE("proofs of devices with a byte changed are refused, or say the same") {
  testkit::Choices choices(testkit::first_seed(73'000'000));
  const DeviceInstance i = with_trees("edp");
  const Proven p = proven(i, question_about(i));
  for (std::size_t n = 0; n < testkit::cases(300); ++n) {
    std::string changed = p.text;
    const std::size_t at = choices.pick(changed.size());
    changed[at] = "0123456789.bce \n"[choices.pick(16)];
    if (changed == p.text) continue;
    CAPTURE(at);
    const auto report = testkit::checked(changed);
    if (!report.accepted) continue;
    // Any thresholds are valid; `b` is what `c` is, too; several levels may overflow.
    const std::size_t begin = p.text.rfind('\n', at == 0 ? 0 : at - 1) + 1;
    const std::string line = p.text.substr(begin, p.text.find('\n', begin) - begin);
    CHECK((line.starts_with("thresholds ") || line.starts_with("c ") || line.starts_with("o ")));
    CHECK(report.optimum.front().second == p.solution.goals.front().value.to_string());
  }
}

namespace {

/// An adversary: claims a mapping to be optimal, or that there is none, and closes what the checker
/// itself says that it would accept.
class Adversary {
 public:
  Adversary(const DeviceInstance& i, const Question& question)
      : i_(i), instance_(canonical_instance(i.device, i.layer, i.moves, question)) {}

  /// Whether there is a proof.
  bool optimal(const DeviceMapping& mapping) const {
    const DeviceMetrics m = evaluate(i_.device, i_.layer, i_.moves, mapping, i_.row_model);
    std::string claim = "optimum";
    for (const Goal goal : i_.objective.goals) {
      claim += " " + i_.objective.value(goal, m.costs()).to_string();
    }
    nlohmann::ordered_json json;
    json["split"] = mapping.split;
    json["slice"] = mapping.slice;
    json["mapping"] = nlohmann::ordered_json::parse(
        evaluation_json(i_.device.unit, slice_of(i_.layer, mapping.slice), i_.row_model,
                        mapping.mapping, m.slice))["mapping"];
    return provable(claim + "\nmapping " + json.dump() + "\n");
  }
  bool infeasible() const { return provable("infeasible\n"); }

 private:
  /// Trees for whatever slices the checker wants one of, until it accepts or refuses a tree.
  [[nodiscard]] bool provable(const std::string& claim) const {
    std::string text =
        "sha256 " + pimbb_check::sha256(instance_) + "\ninstance " + instance_ + "\n" + claim;
    const std::string wanted = "' is wanted here";
    for (;;) {
      std::istringstream stream(text + "end\n");
      pimbb_check::Lines lines(stream);
      pimbb_check::Report report;
      try {
        pimbb_check::device::check(lines, std::nullopt, testkit::grow_trees, report);
        return true;
      } catch (const pimbb_check::Refusal& refusal) {
        const std::string why = refusal.what();
        if (!why.starts_with("'slice ")) return false;
        text += why.substr(1, why.size() - 1 - wanted.size()) + "\n";
      }
    }
  }

  const DeviceInstance& i_;
  const std::string instance_;
};

/// A mapping onto the device that is worse than the best one: the best of a goal for some split.
std::optional<DeviceMapping> worse(const DeviceInstance& i, const DeviceSolution& best,
                                   testkit::Choices& choices) {
  const device::SplitSpace space(i.device, i.layer, i.moves);
  std::vector<Factors> slices;
  space.for_each_slice([&](const Factors& bounds, std::int64_t) {
    slices.push_back(bounds);
    return true;
  });
  const Factors bounds = slices.at(choices.pick(slices.size()));
  const std::vector<Split> splits = space.splits(bounds);
  Question question = question_about(i);
  question.objective.goals = {choices.once_in(2) ? Goal::latency : Goal::energy};
  const Solution slice = solve(i.device.unit, slice_of(i.layer, bounds), question, {.threads = 1});
  if (!slice.mapping) return std::nullopt;
  DeviceMapping mapping{splits.at(choices.pick(splits.size())), bounds, *slice.mapping};
  const DeviceMetrics m = evaluate(i.device, i.layer, i.moves, mapping, i.row_model);
  for (const GoalResult& goal : best.goals) {
    const Rational value = i.objective.value(goal.goal, m.costs());
    if (value != goal.value) return mapping;
  }
  return std::nullopt;
}

}  // namespace

TEST_CASE("no false claim about a device has a proof, and every true one has") {
  std::size_t claims = 0;
  const std::uint64_t first = testkit::first_seed(74'000'000);
  for (std::uint64_t seed = first; seed < first + testkit::cases(150); ++seed) {
    CAPTURE(seed);
    testkit::Choices choices(seed);
    const DeviceInstance i = drawn(seed);
    const Question question = question_about(i);
    const DeviceSolution best = solve(i.device, i.layer, i.moves, question, {.threads = 1});
    const Adversary adversary(i, question);
    CHECK(adversary.infeasible() == (best.status == Status::infeasible));
    if (!best.mapping) continue;
    CHECK(adversary.optimal(*best.mapping));
    for (int tries = 0; tries < 4; ++tries) {
      const auto mapping = worse(i, best, choices);
      if (!mapping) continue;
      CHECK(!adversary.optimal(*mapping));
      ++claims;
    }
  }
  CHECK((claims > 150 || testkit::cases(150) < 150));
}

TEST_CASE("golden devices: every optimum has a proof") {
  const auto folder = golden::folder_of("devices");
  if (!folder) return;
  std::size_t number = 0;
  std::size_t proofs = 0;
  for (const char* file : {"device", "padded", "padwin"}) {
    for (const auto& line : golden::lines(*folder / (std::string(file) + ".jsonl"))) {
      if (!testkit::chosen(number++)) continue;
      CAPTURE(line.at("name").get<std::string>());
      const auto g = golden::problem_of(line, line.at("layer"), golden::device_of(line, *folder));
      const DeviceInstance i{g.device, g.layer, g.moves, g.objective, g.row_model};
      const Proven p = proven(i, question_about(i));
      CHECK(complaint_about(p) == "");
      const auto optimum = golden::optimum_of(line);
      const auto report = testkit::checked(p.text);
      REQUIRE(report.optimum.size() == optimum.size());
      for (std::size_t k = 0; k < optimum.size(); ++k) {
        CHECK(golden::same(Rational::parse(report.optimum[k].second), optimum[k]));
      }
      ++proofs;
    }
  }
  MESSAGE(proofs << " proofs");
}

TEST_CASE("proofs of devices keep limits, and refuse what they do not cover") {
  const DeviceInstance i = with_trees("edp");
  Question question = question_about(i);
  const DeviceSolution best = solve(i.device, i.layer, i.moves, question, {});
  const auto none = [](std::string_view) {};
  RunLimits limits{.threads = 1, .time_limit = 0.0};
  CHECK_THROWS_AS(prove(i.device, i.layer, i.moves, question, limits, best, none), LimitError);
  limits = {.threads = 1, .memory_limit = 1000};
  CHECK_THROWS_AS(prove(i.device, i.layer, i.moves, question, limits, best, none), LimitError);
  DeviceSolution cut = best;
  cut.status = Status::feasible;
  CHECK_THROWS_AS(prove(i.device, i.layer, i.moves, question, {}, cut, none), InputError);
  question.caps = {{Goal::latency, -1}};
  CHECK_THROWS_AS(prove(i.device, i.layer, i.moves, question, {}, best, none), InputError);
  question.caps.clear();
  question.at_most = 1;
  CHECK_THROWS_AS(prove(i.device, i.layer, i.moves, question, {}, best, none), InputError);
  // A worse mapping is not proven to be the best.
  DeviceSolution worse = best;
  question.at_most.reset();
  worse.goals.front().value += 1;
  CHECK_THROWS_AS(prove(i.device, i.layer, i.moves, question, {}, worse, none), std::logic_error);
}
