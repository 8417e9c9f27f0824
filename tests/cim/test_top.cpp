// The best classes against exhaustion: all mappings of tiny layers, put into classes by what the
// cost formulas of the documentation read.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "cim/answers/class_text.hpp"
#include "cim/exhaust.hpp"
#include "cim/random_instance.hpp"
#include "pimbb/cim.hpp"
#include "pimbb/error.hpp"
#include "support/cases.hpp"

using namespace pimbb;
using namespace pimbb::cim;

namespace {

/// What the costs of a mapping depend on, as a text.
class Features {
 public:
  Features(const Architecture& a, const Mapping& m, Semantics semantics)
      : a_(a), m_(m), carried_(m.loops.size()), hides_(m.loops.size()) {
    for (const Factors& factors : m.spatial) {
      for (const std::int64_t f : factors) text_ += std::to_string(f) + ' ';
    }
    for (const Tensor t : kAllTensors) add_transfers(t);
    add_loops(semantics == Semantics::recursion);
    for (const Tensor t : kAllTensors) {
      text_ += m.loops.empty() ? "-" : std::to_string(m.loops[0].level[index(t)]) + ' ';
    }
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  [[nodiscard]] std::size_t level(std::size_t loop, Tensor t) const {
    return m_.loops[loop].level[index(t)];
  }

  [[nodiscard]] bool psum(std::size_t at) const {
    return std::ranges::any_of(m_.loops, [&](const Loop& loop) {
      return is_reduction(loop.dim) && loop.level[index(Tensor::output)] >= at;
    });
  }

  void add_transfers(Tensor t) {
    std::optional<std::size_t> inside;  // level
    for (std::size_t inner = m_.loops.size(); inner > 0;) {
      const std::size_t at = level(inner - 1, t);
      std::size_t outer = inner;
      while (outer > 0 && level(outer - 1, t) == at) --outer;
      if (t != Tensor::weight || at != a_.innermost(t)) add_transfer(t, outer, inner, inside);
      inside = at;
      inner = outer;
    }
  }

  /// Of the block of the loops outer .. inner - 1.
  void add_transfer(Tensor t, std::size_t outer, std::size_t inner,
                    std::optional<std::size_t> inside) {
    const std::size_t at = level(outer, t);
    std::string text = std::to_string(index(t)) + ':' + std::to_string(at) + '>' +
                       (inside ? std::to_string(*inside) : "mac");
    Factors tile = kOnes;
    for (std::size_t k = inner; k < m_.loops.size(); ++k) {
      if (relevant(t, m_.loops[k].dim)) tile[index(m_.loops[k].dim)] *= m_.loops[k].factor;
    }
    for (const std::int64_t f : tile) text += ',' + std::to_string(f);
    if (t == Tensor::output) {
      text += psum(at) ? " p" : " o";
      if (inside) text += psum(*inside) ? "p" : "o";
    }
    const bool hidden = inside && m_.doubled[*inside][index(t)];
    if (hidden) text += " hidden";
    std::size_t loop = outer;
    for (std::size_t k = inner; k-- > outer;) {
      if (!relevant(t, m_.loops[k].dim)) continue;
      loop = k;
      break;
    }
    carried_[loop] += text + ';';
    if (hidden && t != Tensor::output) hides_[loop] = true;
  }

  void add_loops(bool first_may_matter) {
    std::int64_t run = 1;
    std::int64_t first = 1;
    bool hides = false;
    const auto flush = [&] {
      if (run > 1) text_ += "run " + std::to_string(run) + '/' + std::to_string(first) + ' ';
      run = first = 1;
    };
    for (std::size_t k = m_.loops.size(); k-- > 0;) {
      const std::int64_t f = m_.loops[k].factor;
      if (carried_[k].empty()) {
        if (run == 1 && hides && first_may_matter) first = f;
        run *= f;
        continue;
      }
      flush();
      text_ += std::to_string(f) + '[' + carried_[k] + "] ";
      hides = hides_[k];
    }
    flush();
  }

  const Architecture& a_;
  const Mapping& m_;
  std::vector<std::string> carried_;  // transfers, by loop
  std::vector<bool> hides_;           // by loop
  std::string text_;
};

/// Fewer loops first, then the innermost different loop.
bool is_earlier(const Mapping& a, const Mapping& b) {
  if (a.loops.size() != b.loops.size()) return a.loops.size() < b.loops.size();
  for (std::size_t k = a.loops.size(); k-- > 0;) {
    const auto order = [&](const Loop& l) { return std::tuple(l.dim, l.factor, l.level); };
    if (order(a.loops[k]) != order(b.loops[k])) return order(a.loops[k]) < order(b.loops[k]);
  }
  return a.doubled < b.doubled;
}

struct ExhaustedClass {
  std::vector<Rational> values;
  std::int64_t members = 0;
  const Mapping* first = nullptr;
  std::string text;
};

/// All classes by cost and text. Every class has one cost.
std::vector<ExhaustedClass> exhausted_classes(const std::vector<naive::Priced>& all,
                                              const Question& question, const Architecture& a,
                                              const Workload& layer) {
  std::map<std::string, ExhaustedClass> classes;
  for (const naive::Priced* p : naive::admitted(all, question, a, layer)) {
    std::vector<Rational> values;
    for (const Goal goal : question.objective.goals) {
      values.push_back(p->value(question.objective, goal, a, question.pricing));
    }
    ExhaustedClass& own = classes[Features(a, p->mapping, question.pricing.semantics).text()];
    if (own.members == 0) own.values = values;
    if (own.values != values) FAIL("the mappings of a class have different costs");
    ++own.members;
    if (own.first == nullptr || is_earlier(p->mapping, *own.first)) own.first = &p->mapping;
  }
  std::vector<ExhaustedClass> list;
  for (auto& [features, own] : classes) {
    own.text = cim::classes::class_text(a, *own.first);
    list.push_back(own);
  }
  std::ranges::sort(list, {}, [](const ExhaustedClass& c) { return std::tie(c.values, c.text); });
  return list;
}

Question top_question(std::uint64_t seed) {
  constexpr std::array<const char*, 7> kObjectives{
      "edp", "latency", "energy", "latency,energy", "energy,latency", "blended", "edp,latency"};
  Question q;
  q.objective = Objective::parse(kObjectives.at(seed % kObjectives.size()));
  q.pricing.semantics = seed % 3 == 0 ? Semantics::table3 : Semantics::recursion;
  q.pricing.contention = static_cast<Contention>(seed % 5 == 0 ? 1 : seed % 5 == 1 ? 2 : 0);
  if (seed % 11 == 0) q.pricing.padding = cim::Padding::ceil;
  if (seed % 7 == 1) q.factors = FactorRule::prime;
  if (seed % 8 == 2) q.doubling = seed % 16 == 2 ? DoubleRule::on : DoubleRule::off;
  if (seed % 9 == 3) q.method = Method::ws;
  return q;
}

std::vector<naive::Priced> mappings_of(const naive::Instance& i, const Question& question) {
  return naive::all_mappings(i.architecture, i.layer,
                             question.pricing.padding == cim::Padding::ceil);
}

ClassCount count_until(const std::vector<ExhaustedClass>& classes, const Rational& most) {
  ClassCount count;
  for (const ExhaustedClass& c : classes) {
    if (c.values[0] > most) continue;
    ++count.classes;
    count.mappings += c.members;
  }
  return count;
}

void check_list(const naive::Instance& i, const TopClasses& top,
                const std::vector<ExhaustedClass>& all, std::uint64_t most) {
  REQUIRE(top.classes.size() == std::min<std::size_t>(most, all.size()));
  for (std::size_t k = 0; k < top.classes.size(); ++k) {
    CHECK(top.classes[k].values == all[k].values);
    CHECK(top.texts[k] == all[k].text);
    CHECK(top.classes[k].mapping == *all[k].first);
    CHECK(top.classes[k].mappings == Rational(all[k].members));
  }
  ClassCount optimal;
  std::uint64_t tied = 0;
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (all[k].values == all[0].values) {
      ++optimal.classes;
      optimal.mappings += all[k].members;
    }
    if (k >= top.classes.size() && all[k].values == top.classes.back().values) ++tied;
  }
  CHECK(top.optimal.classes == optimal.classes);
  CHECK(top.optimal.mappings == optimal.mappings);
  CHECK(top.tied == tied);
  static_cast<void>(i);
}

}  // namespace

TEST_CASE("the best classes are those of all mappings") {
  std::size_t compared = 0;
  std::int64_t largest = 0;
  for (std::uint64_t seed = 1; seed <= testkit::cases(150); ++seed) {
    CAPTURE(seed);
    const naive::Instance i = naive::random_instance(seed * 13, seed % 12 == 0  ? 12
                                                                : seed % 4 == 0 ? 8
                                                                                : 6);
    Question question = top_question(seed);
    const std::vector<naive::Priced> mappings = mappings_of(i, question);
    std::vector<ExhaustedClass> all =
        exhausted_classes(mappings, question, i.architecture, i.layer);
    if (seed % 6 == 0 && !all.empty()) {
      question.caps = {{question.objective.goals[0], all[all.size() / 2].values[0]}};
      all = exhausted_classes(mappings, question, i.architecture, i.layer);
    }
    const std::uint64_t most = 1 + seed % 30;
    const TopClasses top = best_mappings(i.architecture, i.layer, question, {.most = most});
    if (all.empty()) {
      CHECK(top.status == TopStatus::infeasible);
      continue;
    }
    CHECK(top.status == TopStatus::complete);
    check_list(i, top, all, most);
    for (const ExhaustedClass& c : all) largest = std::max(largest, c.members);

    const Rational share(static_cast<std::int64_t>(seed % 5), 20);
    const TopClasses near =
        best_mappings(i.architecture, i.layer, question, {.most = most, .within = share});
    CHECK(near.status == TopStatus::complete);
    const ClassCount within = count_until(all, all[0].values[0] * (Rational(1) + share));
    REQUIRE(near.within.has_value());
    CHECK(near.within->classes == within.classes);
    CHECK(near.within->mappings == within.mappings);
    std::erase_if(all, [&](const ExhaustedClass& c) {
      return c.values[0] > all[0].values[0] * (Rational(1) + share);
    });
    check_list(i, near, all, most);
    ++compared;
  }
  CHECK(compared > testkit::cases(150) / 2);
  CHECK(largest > 1);
}

TEST_CASE("a list asked for more classes than there are is the whole space") {
  for (std::uint64_t seed = 1; seed <= testkit::cases(40); ++seed) {
    CAPTURE(seed);
    const naive::Instance i = naive::random_instance(seed * 17, 6);
    const Question question = top_question(seed);
    const auto mappings = mappings_of(i, question);
    const auto all = exhausted_classes(mappings, question, i.architecture, i.layer);
    const TopClasses top = best_mappings(i.architecture, i.layer, question, {.most = 1'000'000});
    if (all.empty()) continue;
    CHECK(top.status == TopStatus::complete);
    check_list(i, top, all, 1'000'000);
  }
}

TEST_CASE("classes do not depend on threads, and limits leave a proven list") {
  const Architecture a = read_architecture("miredo_default");
  Workload layer;
  layer.name = "small";
  layer.bounds[index(Dim::C)] = 64;
  layer.bounds[index(Dim::K)] = 48;
  layer.bounds[index(Dim::P)] = 4;
  Question question;
  question.objective = Objective::parse("edp");
  const TopRange range{.most = 12};
  RunLimits one;
  one.threads = 1;
  const TopClasses all = best_mappings(a, layer, question, range, one);
  CHECK(all.status == TopStatus::complete);
  REQUIRE(all.classes.size() == 12);
  const auto same_start = [&](const TopClasses& top) {
    for (std::size_t k = 0; k < top.classes.size(); ++k) {
      if (top.classes[k].values[0] < *top.bound) CHECK(top.texts[k] == all.texts[k]);
    }
  };
  RunLimits two = one;
  two.threads = 2;
  const TopClasses again = best_mappings(a, layer, question, range, two);
  CHECK(again.texts == all.texts);
  CHECK(again.labels == all.labels);
  CHECK(again.candidates == all.candidates);
  std::size_t partial = 0;
  for (std::uint64_t part = 0; part < 10; part += testkit::slow_build() ? 4 : 1) {
    RunLimits few = one;
    few.node_limit = all.labels * part / 10;
    const TopClasses cut = best_mappings(a, layer, question, range, few);
    if (cut.status != TopStatus::partial) continue;
    ++partial;
    REQUIRE(cut.bound.has_value());
    REQUIRE(!cut.classes.empty());
    CHECK(*cut.bound <= all.classes.back().values[0]);
    same_start(cut);
    two.node_limit = few.node_limit;
    const TopClasses cut_again = best_mappings(a, layer, question, range, two);
    CHECK(cut_again.texts == cut.texts);
    CHECK(cut_again.bound == cut.bound);
  }
  CHECK(partial > 2);
}

TEST_CASE("questions about classes that prove nothing are refused") {
  const naive::Instance i = naive::random_instance(1, 4);
  Question greedy;
  greedy.method = Method::greedy;
  CHECK_THROWS_AS(best_mappings(i.architecture, i.layer, greedy), InputError);
  Question simulated;
  simulated.pricing.semantics = Semantics::simulator;
  CHECK_THROWS_AS(best_mappings(i.architecture, i.layer, simulated), InputError);
  CHECK_THROWS_AS(best_mappings(i.architecture, i.layer, {}, {.most = 0}), InputError);
  CHECK_THROWS_AS(best_mappings(i.architecture, i.layer, {}, {.within = Rational(-1)}), InputError);
}
