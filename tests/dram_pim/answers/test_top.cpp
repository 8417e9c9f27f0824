// The best classes of mappings against exhaustion: every feasible mapping is visited, put into its
// class by a classifier that knows the definition only, and the classes are counted and sorted.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

#include "dram_pim/solver/by_seed.hpp"
#include "pimbb/dram_pim/feasibility.hpp"
#include "pimbb/dram_pim/top.hpp"
#include "pimbb/error.hpp"
#include "support/brute_force.hpp"
#include "support/cases.hpp"
#include "support/oracle_cost.hpp"
#include "support/random_constraints.hpp"
#include "support/solve_options.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using testkit::by_seed;
using testkit::Instance;

namespace {

/// Brute force visits every mapping of a problem one by one.
constexpr std::uint64_t kMostMappings = 10'000;

struct ExpectedClass {
  std::vector<oracle::Fraction> values;
  std::string text;
  std::uint64_t mappings = 0;
};

/// Loops of one level in the order of the text, outermost first.
std::string loops_text(std::vector<Loop> loops, bool level0) {
  if (level0) {
    std::ranges::sort(loops, {}, [](const Loop& loop) { return pe_place(loop.dim); });
  }
  std::string text;
  for (const Loop& loop : loops) text += std::string(name(loop.dim)) + std::to_string(loop.factor);
  return text.empty() ? "-" : text;
}

std::string spelled(const Architecture& a, const Mapping& m) {
  std::string text;
  for (const Direction d : kAllDirections) {
    text += std::string(1, "HWI"[index(d)]) + ":";
    for (const Dim j : kAllDims) {
      const std::int64_t f = m.spatial_in(d)[index(j)];
      if (f > 1) text += std::string(name(j)) + std::to_string(f);
    }
    text += " ";
  }
  for (std::size_t k = 0; k < m.levels.size(); ++k) {
    text += std::to_string(k) + ":" + loops_text(m.levels[k].loops, k == 0) + " ";
  }
  text += "stores:";
  for (std::size_t k = 0; k < m.levels.size(); ++k) {
    if (k > 0) text += ",";
    const TensorFlags& s = m.levels[k].stores;
    text += std::string(s[0] ? "i" : "") + (s[1] ? "w" : "") + (s[2] ? "o" : "");
  }
  const auto letter = [&](Tensor t) {
    return std::string(m.layout[index(t)] == Layout::row_aligned ? "r" : "s");
  };
  text += " layout:" + letter(Tensor::input);
  if (letter(Tensor::input) == "r") {
    text += "(" + std::to_string(m.input_block.h) + "x" + std::to_string(m.input_block.w) + ")";
  } else if (a.has_free_input_order()) {
    text += m.input_order == InputOrder::nhwc ? "h" : "n";
  }
  return text + "," + letter(Tensor::weight) + "," + letter(Tensor::output);
}

/// The loops that leave a tensor in place, counted from the innermost one.
std::set<Dim> innermost_run(const std::vector<Loop>& loops) {
  std::set<Dim> run;
  if (loops.empty()) return run;
  const auto still = irrelevant_tensor(loops.back().dim);
  for (std::size_t i = loops.size(); i-- > 0 && irrelevant_tensor(loops[i].dim) == still;) {
    if (still) run.insert(loops[i].dim);
  }
  return run;
}

using Key = std::pair<std::string, std::vector<std::string>>;

/// Spatial factors, factors and storage by level, layouts; runs; activations.
Key classify(const Architecture& a, const Mapping& m, RowModel model, const oracle::Cost& cost) {
  Mapping sorted = m;
  for (MappingLevel& level : sorted.levels) std::ranges::sort(level.loops, {}, &Loop::dim);
  std::vector<std::string> rest;
  for (std::size_t k = 1; k < m.levels.size(); ++k) {
    std::string run;
    for (const Dim j : innermost_run(m.levels[k].loops)) run += name(j);
    rest.push_back(run);
  }
  for (const Tensor t : kAllTensors) {
    if (model == RowModel::trace) {
      rest.push_back(cost.tensors[index(t)].activations.to_string());
    }
  }
  return {spelled(a, sorted), rest};
}

/// Whether the loops of x come first, level by level from the inside, outermost loop first.
bool comes_first(const Mapping& x, const Mapping& y) {
  for (std::size_t k = 1; k < x.levels.size(); ++k) {
    const auto dims = [&](const Mapping& m) {
      std::vector<Dim> list;
      for (const Loop& loop : m.levels[k].loops) list.push_back(loop.dim);
      return list;
    };
    if (dims(x) != dims(y)) return dims(x) < dims(y);
  }
  return false;
}

struct ClassSpace {
  std::vector<ExpectedClass> classes;  // sorted
  std::uint64_t mappings = 0;
};

ClassSpace exhaust_classes(
    const Instance& i, const std::function<bool(const Mapping&, const oracle::Cost&)>& in = {}) {
  struct Class {
    Mapping first;
    ExpectedClass of;
  };
  std::map<Key, Class> classes;
  const oracle::CostOracle costs(i.architecture, i.workload, i.row_model);
  ClassSpace space;
  oracle::for_each_mapping(i.architecture, i.workload, [&](const Mapping& m) {
    const oracle::Cost cost = costs.evaluate(m);
    if (in && !in(m, cost)) return;
    Class& c = classes[classify(i.architecture, m, i.row_model, cost)];
    std::vector<oracle::Fraction> values;
    for (const Goal goal : i.objective.goals) values.push_back(cost.value(goal, i.objective));
    if (c.of.mappings++ == 0 || comes_first(m, c.first)) c.first = m;
    if (c.of.values.empty()) c.of.values = values;
    REQUIRE(c.of.values == values);  // the definition of a class is one
    ++space.mappings;
  });
  for (auto& [key, c] : classes) {
    c.of.text = spelled(i.architecture, c.first);
    space.classes.push_back(c.of);
  }
  std::ranges::sort(space.classes, [](const ExpectedClass& x, const ExpectedClass& y) {
    return x.values != y.values ? x.values < y.values : x.text < y.text;
  });
  return space;
}

Question question_for(const Instance& i) {
  Question question;
  question.objective = i.objective;
  question.row_model = i.row_model;
  return question;
}

std::uint64_t mappings_in(const std::vector<ExpectedClass>& classes, std::size_t begin,
                          std::size_t end) {
  std::uint64_t sum = 0;
  for (std::size_t k = begin; k < end; ++k) sum += classes[k].mappings;
  return sum;
}

/// The first thing that is wrong with the list; empty if nothing is.
std::string wrong_list(const Instance& i, const TopClasses& top, const ClassSpace& space,
                       std::size_t expected) {
  const auto& all = space.classes;
  if (top.status != TopStatus::complete) return "not complete";
  if (top.classes.size() != expected) {
    return "lists " + std::to_string(top.classes.size()) + " classes, not " +
           std::to_string(expected);
  }
  for (std::size_t k = 0; k < expected; ++k) {
    if (top.texts[k] != all[k].text) return "lists " + top.texts[k] + ", not " + all[k].text;
    if (spelled(i.architecture, top.classes[k].mapping) != all[k].text) return "another mapping";
    if (find_violation(i.architecture, i.workload, top.classes[k].mapping)) return "infeasible";
    if (*top.classes[k].mappings != Rational(static_cast<std::int64_t>(all[k].mappings))) {
      return all[k].text + " has " + top.classes[k].mappings->to_string() + " mappings, not " +
             std::to_string(all[k].mappings);
    }
    for (std::size_t g = 0; g < all[k].values.size(); ++g) {
      if (top.classes[k].values[g] != all[k].values[g].to_rational()) return "another value";
    }
  }
  const auto same_cost = [&](std::size_t k) {
    return static_cast<std::size_t>(std::ranges::count_if(
        all, [&](const ExpectedClass& c) { return c.values == all[k].values; }));
  };
  const std::size_t optima = same_cost(0);
  if (top.optimal.classes != optima) return "counts other optimal classes";
  if (top.optimal.mappings != Rational(static_cast<std::int64_t>(mappings_in(all, 0, optima)))) {
    return "counts other optimal mappings";
  }
  std::size_t listed = 0;
  for (std::size_t k = 0; k < expected; ++k) {
    listed += all[k].values == all[expected - 1].values ? 1 : 0;
  }
  if (top.tied != same_cost(expected - 1) - listed) return "counts other ties";
  return "";
}

/// Problems of which brute force can visit every mapping.
template <class Check>
void on_small_problems(std::uint64_t seed, std::size_t count, const Check& check) {
  std::size_t looked_at = 0;
  by_seed(seed, count, {.macs = 8}, [&](Instance i) {
    const auto optimum =
        oracle::brute_force(i.architecture, i.workload, i.objective, RowModel::none);
    if (optimum.mappings == 0 || optimum.mappings > kMostMappings) return;
    ++looked_at;
    check(i, looked_at);
  });
  CHECK(looked_at > 0);
}

}  // namespace

TEST_CASE("the best k classes, their ties and sizes are those of exhaustion") {
  on_small_problems(61'000'000, testkit::cases(800), [](const Instance& i, std::size_t n) {
    const ClassSpace space = exhaust_classes(i);
    const std::size_t total = space.classes.size();
    for (const std::size_t k : {std::size_t{1}, std::size_t{2} + n % 9, total / 2 + 1}) {
      CAPTURE(k);
      const TopClasses top =
          best_mappings(i.architecture, i.workload, question_for(i), {.most = k});
      CHECK(wrong_list(i, top, space, std::min(k, total)) == "");
    }
  });
}

TEST_CASE("all mappings are in the classes of an endless list") {
  on_small_problems(62'000'000, testkit::cases(300), [](const Instance& i, std::size_t) {
    const ClassSpace space = exhaust_classes(i);
    const TopClasses top =
        best_mappings(i.architecture, i.workload, question_for(i), {.most = 1'000'000});
    CHECK(wrong_list(i, top, space, space.classes.size()) == "");
    Rational sum;
    for (const MappingClass& c : top.classes) sum += *c.mappings;
    CHECK(sum == Rational(static_cast<std::int64_t>(space.mappings)));
  });
}

TEST_CASE("all classes within a percentage of the optimum") {
  on_small_problems(63'000'000, testkit::cases(300), [](const Instance& i, std::size_t n) {
    const ClassSpace space = exhaust_classes(i);
    constexpr std::array<std::pair<int, int>, 5> kParts{
        {{0, 1}, {1, 100}, {1, 10}, {1, 1}, {5, 1}}};
    const auto [p, q] = kParts[n % kParts.size()];
    const oracle::Fraction most =
        space.classes[0].values[0] * (oracle::Fraction(1) + oracle::Fraction(p) / q);
    const auto count = static_cast<std::size_t>(std::ranges::count_if(
        space.classes, [&](const ExpectedClass& c) { return c.values[0] <= most; }));
    for (const std::size_t listed : {std::size_t{3}, std::size_t{100'000}}) {
      const TopClasses top = best_mappings(i.architecture, i.workload, question_for(i),
                                           {.most = listed, .within = Rational(p, q)});
      CHECK(wrong_list(i, top, space, std::min(listed, count)) == "");
      REQUIRE(top.within);
      CHECK(top.within->classes == count);
      CHECK(top.within->mappings ==
            Rational(static_cast<std::int64_t>(mappings_in(space.classes, 0, count))));
    }
  });
}

TEST_CASE("every row model and every goal") {
  std::size_t next = 0;
  on_small_problems(64'000'000, testkit::cases(25), [&](Instance i, std::size_t) {
    for (std::size_t model = 0; model < kRowModelNames.size(); ++model) {
      i.row_model = static_cast<RowModel>(model);
      for (const char* goals : {"latency", "energy", "edp", "activations", "blended",
                                "latency,energy", "activations,latency"}) {
        if (testkit::slow_build() && next++ % 5 != 0) continue;
        i.objective.goals = Objective::parse(goals).goals;
        CAPTURE(goals);
        CAPTURE(kRowModelNames[model]);
        const ClassSpace space = exhaust_classes(i);
        const TopClasses top =
            best_mappings(i.architecture, i.workload, question_for(i), {.most = 7});
        CHECK(wrong_list(i, top, space, std::min<std::size_t>(7, space.classes.size())) == "");
      }
    }
  });
}

namespace {

/// Whether a mapping satisfies constraints, by the oracle's reading of them.
bool satisfies(const oracle::Restriction& part, const Mapping& m) {
  if (part.loops && !part.loops(m)) return false;
  for (const Tensor t : kAllTensors) {
    std::vector<bool> stored;
    for (const MappingLevel& level : m.levels) stored.push_back(level.stores[index(t)]);
    if (part.storage && !part.storage(t, stored)) return false;
    const oracle::LayoutChoice choice{m.layout[index(t)], m.input_block, m.input_order};
    if (part.layout && !part.layout(m, t, choice)) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("under constraints, limits on goals and a precedence of loops") {
  std::size_t feasible = 0;
  on_small_problems(65'000'000, testkit::cases(400), [&](Instance i, std::size_t n) {
    testkit::Choices choices(65'000'000 + n);
    Question question = question_for(i);
    question.constraints = testkit::random_constraints(choices, i);
    std::string constraints;
    for (const std::string& text : constraint_texts(i.architecture, question.constraints)) {
      constraints += text + "; ";
    }
    CAPTURE(constraints);
    const oracle::Restriction part = testkit::part_of(question.constraints);
    ClassSpace space = exhaust_classes(
        i, [&](const Mapping& m, const oracle::Cost&) { return satisfies(part, m); });
    if (!space.classes.empty() && n % 2 == 0) {  // a limit that some mapping keeps, and some not
      const auto& median = space.classes[space.classes.size() / 2];
      const Goal goal = i.objective.goals[0];
      question.caps.push_back({goal, median.values[0].to_rational()});
      space = exhaust_classes(i, [&](const Mapping& m, const oracle::Cost& cost) {
        return satisfies(part, m) && cost.value(goal, i.objective) <= median.values[0];
      });
    }
    const TopClasses top = best_mappings(i.architecture, i.workload, question, {.most = 10});
    CHECK((top.status == TopStatus::infeasible) == space.classes.empty());
    if (space.classes.empty()) {
      CHECK(!top.reason.empty());
      return;
    }
    ++feasible;
    CHECK(wrong_list(i, top, space, std::min<std::size_t>(10, space.classes.size())) == "");
  });
  CHECK(feasible > 0);
}

TEST_CASE("inputs of free order, shared banks and shared streams") {
  on_small_problems(66'000'000, testkit::cases(300), [](Instance i, std::size_t n) {
    if (n % 2 == 0) i.architecture.input_order = InputOrder::free;
    if (n % 3 != 0) i.architecture.shared_streams = n % 3 == 1;
    if (n % 3 == 2) i.row_model = RowModel::trace;
    if (n % 5 == 0) i.architecture.levels[i.architecture.row_buffer()].num_banks = 1 + n / 5 % 2;
    validate(i.architecture);
    const ClassSpace space = exhaust_classes(i);
    const TopClasses top = best_mappings(i.architecture, i.workload, question_for(i), {.most = 12});
    CHECK(wrong_list(i, top, space, std::min<std::size_t>(12, space.classes.size())) == "");
  });
}

TEST_CASE("the list does not depend on the number of threads") {
  by_seed(67'000'000, testkit::cases(100), {.macs = 36}, [](const Instance& i) {
    const TopRange range{.most = 30};
    const TopClasses one =
        best_mappings(i.architecture, i.workload, question_for(i), range, {.threads = 1});
    for (const int threads : {2, 4}) {
      CAPTURE(threads);
      const TopClasses more =
          best_mappings(i.architecture, i.workload, question_for(i), range, {.threads = threads});
      CHECK(more.status == one.status);
      CHECK(more.texts == one.texts);
      CHECK(more.nodes == one.nodes);
      CHECK(more.tied == one.tied);
      CHECK(more.optimal.classes == one.optimal.classes);
      CHECK(more.optimal.mappings == one.optimal.mappings);
    }
  });
}

TEST_CASE("limits leave a list of true classes, and a bound of what is missing") {
  std::size_t partial = 0;
  on_small_problems(68'000'000, testkit::cases(150), [&](const Instance& i, std::size_t) {
    const ClassSpace space = exhaust_classes(i);
    for (const std::uint64_t limit : {0, 3, 10, 30, 100}) {
      CAPTURE(limit);
      RunLimits limits;
      limits.threads = 1;
      limits.node_limit = limit;
      const TopClasses top =
          best_mappings(i.architecture, i.workload, question_for(i), {.most = 8}, limits);
      limits.threads = 3;
      const TopClasses again =
          best_mappings(i.architecture, i.workload, question_for(i), {.most = 8}, limits);
      CHECK(again.texts == top.texts);
      CHECK(again.bound == top.bound);
      if (top.status == TopStatus::complete) {
        CHECK(wrong_list(i, top, space, std::min<std::size_t>(8, space.classes.size())) == "");
        continue;
      }
      ++partial;
      REQUIRE(top.status == TopStatus::partial);
      REQUIRE(top.bound);
      const oracle::Fraction bound(*top.bound);
      const std::set<std::string> listed(top.texts.begin(), top.texts.end());
      for (std::size_t k = 0; k < top.classes.size(); ++k) {
        if (!top.classes[k].mappings) continue;
        const auto same = std::ranges::find_if(space.classes, [&](const ExpectedClass& c) {
          return c.text == top.texts[k] &&
                 *top.classes[k].mappings == Rational(static_cast<std::int64_t>(c.mappings));
        });
        CHECK(same != space.classes.end());
      }
      for (const ExpectedClass& c : space.classes) {
        const bool behind =
            top.classes.size() == 8 && top.classes.back().values[0] <= c.values[0].to_rational();
        if (c.values[0] < bound && !behind) CHECK(listed.contains(c.text));
      }
    }
  });
  CHECK(partial > 0);
}

TEST_CASE("an interrupted search, and one without time, end with what is known") {
  testkit::Choices choices(69'000'000);
  const Instance i = testkit::random_instance(choices, {.macs = 24});
  std::stop_source stop;
  stop.request_stop();
  RunLimits limits;
  limits.stop = stop.get_token();
  CHECK(best_mappings(i.architecture, i.workload, question_for(i), {.most = 8}, limits).status !=
        TopStatus::complete);
}

TEST_CASE("questions that have no list") {
  testkit::Choices choices(70'000'000);
  const Instance i = testkit::random_instance(choices, {.macs = 8});
  Question question = question_for(i);
  CHECK_THROWS_AS(best_mappings(i.architecture, i.workload, question, {.most = 0}), InputError);
  CHECK_THROWS_AS(
      best_mappings(i.architecture, i.workload, question, {.most = 1, .within = Rational(-1)}),
      InputError);
  CHECK_THROWS_AS(
      best_mappings(i.architecture, i.workload, question, {.most = std::uint64_t{1} << 60}),
      LimitError);
  question.method = Method::greedy;
  CHECK_THROWS_AS(best_mappings(i.architecture, i.workload, question), InputError);
  question = question_for(i);
  question.below = Rational(1);
  CHECK_THROWS_AS(best_mappings(i.architecture, i.workload, question), InputError);
}
