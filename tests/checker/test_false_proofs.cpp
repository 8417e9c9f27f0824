// Proofs with one thing wrong, each of which the checker must refuse.
//
// The starting points are proofs that it accepts: of random problems and of one real layer. Every
// forgery is one that would matter, a part of the space that nobody looked at or a claim about
// another value, so an accepted one is a hole in the checker.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "dram_pim/io/formats.hpp"
#include "files/sha256.hpp"
#include "pimbb/dram_pim/feasibility.hpp"
#include "pimbb/dram_pim/io.hpp"
#include "support/cases.hpp"
#include "support/certify.hpp"
#include "support/check_solution.hpp"
#include "support/full_size.hpp"
#include "support/random_mapping.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using testkit::Choices;
using testkit::Instance;

namespace {

using Lines = std::vector<std::string>;

Lines split(const std::string& text) {
  Lines lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string joined(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

bool refused(const Lines& lines) { return !testkit::checked(joined(lines)).accepted; }

/// Whether the checker stops just at line `k`, counted from 0.
bool refused_at(const Lines& lines, std::size_t k) {
  const auto report = testkit::checked(joined(lines));
  return !report.accepted && report.reason.starts_with("line " + std::to_string(k + 1) + ":");
}

Lines with_line(Lines lines, std::size_t k, std::string line) {
  lines[k] = std::move(line);
  return lines;
}

bool is_leaf(const std::string& line) {
  return line.size() > 2 && line[1] == ' ' && std::string("bce").find(line[0]) != std::string::npos;
}
bool is_inner(const std::string& line) { return line.starts_with("n "); }

std::size_t find(const Lines& lines, const std::string& prefix) {
  for (std::size_t k = 0; k < lines.size(); ++k) {
    if (lines[k].starts_with(prefix)) return k;
  }
  return lines.size();
}

/// Some lines that `wanted` likes, spread over the proof.
template <class Wanted>
std::vector<std::size_t> sample(const Lines& lines, Choices& choices, const Wanted& wanted) {
  std::vector<std::size_t> all;
  for (std::size_t k = 0; k < lines.size(); ++k) {
    if (wanted(lines[k])) all.push_back(k);
  }
  choices.shuffle(all);
  all.resize(std::min<std::size_t>(all.size(), 8));
  return all;
}

struct Case {
  Instance instance;
  Solution solution;
  Lines lines;
};

/// Runs `forge(case, choices)` on an accepted proof, if the problem is feasible.
template <class Forge>
void on_true_proof(std::uint64_t seed, Case c, const Forge& forge) {
  CAPTURE(seed);
  CAPTURE(testkit::to_json(c.instance));
  auto [solution, proof] = testkit::certify(c.instance);
  if (solution.status == Status::infeasible) return;
  c.solution = std::move(solution);
  c.lines = split(proof.text);
  REQUIRE_FALSE(refused(c.lines));
  Choices choices(seed);
  forge(c, choices);
}

/// On many, all under one row model if it is given.
template <class Forge>
void on_true_proofs(const Forge& forge, std::optional<RowModel> row_model = std::nullopt) {
  for (std::uint64_t seed = 0; seed < testkit::cases(100); ++seed) {
    Case c{testkit::random_instance(seed, {.macs = 24}), {}, {}};
    if (row_model) c.instance.row_model = *row_model;
    if (seed == 0) {
      c.instance.architecture = testkit::simple_pim();
      c.instance.workload = testkit::resnet18_layers().back();
      c.instance.objective = Objective::parse("latency,energy");
    }
    on_true_proof(seed, std::move(c), forge);
  }
}

}  // namespace

TEST_CASE("a leaf dropped, doubled or moved") {
  on_true_proofs([](const Case& c, Choices& choices) {
    for (const std::size_t k : sample(c.lines, choices, is_leaf)) {
      Lines dropped = c.lines;
      dropped.erase(dropped.begin() + static_cast<std::ptrdiff_t>(k));
      CHECK(refused(dropped));
      Lines doubled = c.lines;
      doubled.insert(doubled.begin() + static_cast<std::ptrdiff_t>(k), c.lines[k]);
      CHECK(refused(doubled));
      Lines moved = c.lines;
      std::swap(moved[k], moved[k + 1]);
      if (moved != c.lines) CHECK(refused(moved));
    }
  });
}

TEST_CASE("the proof cut off, or a section left out") {
  on_true_proofs([](const Case& c, Choices& choices) {
    const std::string text = joined(c.lines);
    for (int n = 0; n < 8; ++n) {
      CHECK_FALSE(testkit::checked(text.substr(0, choices.pick(text.size()))).accepted);
    }
    Lines more = c.lines;
    more.push_back("end");
    CHECK(refused(more));
    for (const std::string section : {"goal ", "s ", "o "}) {  // up to the next one of its kind
      const std::size_t begin = find(c.lines, section);
      if (begin == c.lines.size()) continue;
      std::size_t end = begin + 1;
      while (end + 1 < c.lines.size() && !c.lines[end].starts_with(section)) ++end;
      Lines shorter = c.lines;
      shorter.erase(shorter.begin() + static_cast<std::ptrdiff_t>(begin),
                    shorter.begin() + static_cast<std::ptrdiff_t>(end));
      CHECK(refused(shorter));
    }
  });
}

TEST_CASE("goals without their trees") {
  on_true_proofs([](const Case& c, Choices&) {
    const auto of_header = [](const std::string& line) {
      return line.starts_with("goal ") || line.starts_with("thresholds ") || line == "end";
    };
    const std::size_t first = find(c.lines, "goal ");
    Lines bare(c.lines.begin(), c.lines.begin() + static_cast<std::ptrdiff_t>(first) + 2);
    for (std::size_t k = first + 2; k < c.lines.size(); ++k) {
      if (!of_header(c.lines[k])) continue;
      Lines forged = bare;  // from here on as it was
      forged.insert(forged.end(), c.lines.begin() + static_cast<std::ptrdiff_t>(k), c.lines.end());
      CHECK(refused_at(forged, first + 2));
      bare.push_back(c.lines[k]);
    }
    CHECK(refused_at(bare, first + 2));
  });
}

TEST_CASE("an end where something is missing") {
  on_true_proofs([](const Case& c, Choices&) {
    for (std::size_t k = 0; k + 2 < c.lines.size(); ++k) {
      if (is_leaf(c.lines[k]) && k % 16 != 0) continue;
      Lines shorter(c.lines.begin(), c.lines.begin() + static_cast<std::ptrdiff_t>(k) + 1);
      shorter.emplace_back("end");
      CHECK(refused_at(shorter, k + 1));
    }
  });
}

TEST_CASE("after a false event the checker accepts no other") {
  on_true_proofs([](const Case& c, Choices&) {
    const Instance& i = c.instance;
    struct Deaf : testkit::InProcessChecker {
      void closed_by_bound(const Factors& tile, char loops) override {
        CHECK_THROWS(InProcessChecker::evaluated({}, loops));
        CHECK_THROWS(InProcessChecker::closed_by_bound(tile, loops));
      }
    } checker;
    const bool leaves = find(c.lines, "b ") < c.lines.size();
    if (!leaves) return;
    CHECK_THROWS(
        prove(i.architecture, i.workload, testkit::options_for(i), c.solution, {&checker}));
    CHECK_FALSE(checker.report().accepted);
  });
}

TEST_CASE("another tile or class in a record") {
  on_true_proofs([](const Case& c, Choices& choices) {
    const auto record = [](const std::string& line) { return is_leaf(line) || is_inner(line); };
    for (const std::size_t k : sample(c.lines, choices, record)) {
      std::string line = c.lines[k];
      const std::size_t digit = line.find_first_of("0123456789", 2 + choices.pick(10));
      line.insert(digit, 1, "12345"[choices.pick(5)]);
      CHECK(refused_at(with_line(c.lines, k, line), k));
      line = c.lines[k];
      for (const char loops : {'i', 'w', 'o', '-'}) {
        if (loops == c.lines[k].back()) continue;
        line.back() = loops;
        CHECK(refused_at(with_line(c.lines, k, line), k));
      }
    }
  });
}

TEST_CASE("a part of the space closed for a reason that is not true") {
  on_true_proofs([](const Case& c, Choices& choices) {
    // The prover goes on only where no bound closes a node: none of these may be closed.
    for (const char opened : {'n', 'e'}) {
      const auto of_kind = [&](const std::string& line) {
        return line.starts_with(std::string(1, opened) + " ") && (is_leaf(line) || is_inner(line));
      };
      for (const std::size_t k : sample(c.lines, choices, of_kind)) {
        for (const char reason : {'b', 'c', opened == 'n' ? 'e' : 'n', 'o', 's', 'x'}) {
          CHECK(refused_at(with_line(c.lines, k, reason + c.lines[k].substr(1)), k));
        }
      }
    }
    for (const std::size_t k : sample(c.lines, choices, is_leaf)) {
      if (c.lines[k][0] == 'e') continue;
      // What the goals before exclude is in particular no better than the optimum.
      const bool weaker = c.lines[k][0] == 'c';
      const Lines other = with_line(c.lines, k, (weaker ? 'b' : 'c') + c.lines[k].substr(1));
      CHECK(weaker != refused_at(other, k));
      CHECK(refused(with_line(c.lines, k, 'n' + c.lines[k].substr(1))));  // without its children
    }
  });
}

namespace {

bool as_good(const Case& c, const Metrics& metrics) {
  for (const GoalResult& goal : c.solution.goals) {
    if (c.instance.objective.value(goal.goal, metrics) != goal.value) return false;
  }
  return true;
}

bool names_orders(const std::string& line) { return line.starts_with("l "); }

/// The other ways to write the loops of a record "l CK/QPR": one pair of neighbours swapped.
std::vector<std::string> with_swapped_loops(const std::string& line) {
  std::vector<std::string> all;
  for (std::size_t k = 2; k + 1 < line.size(); ++k) {
    std::string other = line;
    std::swap(other[k], other[k + 1]);
    all.push_back(other);
  }
  return all;
}

}  // namespace

TEST_CASE("loop orders dropped, doubled, exchanged or renamed") {
  std::size_t orders = 0;
  const auto forge = [&](const Case& c, Choices& choices) {
    for (const std::size_t k : sample(c.lines, choices, names_orders)) {
      ++orders;
      std::size_t end = k + 1;  // the next order, or the end of this tree
      while (is_leaf(c.lines[end]) || is_inner(c.lines[end])) ++end;
      const auto at = [&](Lines& lines, std::size_t i) {
        return lines.begin() + static_cast<std::ptrdiff_t>(i);
      };
      Lines dropped = c.lines;
      dropped.erase(at(dropped, k), at(dropped, end));
      CHECK(refused(dropped));
      Lines doubled = c.lines;
      doubled.insert(at(doubled, k), c.lines[k]);
      CHECK(refused_at(doubled, k + 1));
      if (names_orders(c.lines[end]) && c.lines[end] != c.lines[k]) {
        Lines exchanged = c.lines;
        std::swap(exchanged[k], exchanged[end]);
        CHECK(refused_at(exchanged, k));
      }
      for (const std::string& other : with_swapped_loops(c.lines[k])) {
        CHECK(refused_at(with_line(c.lines, k, other), k));
      }
      for (const char* other : {"l", "l ", "l -", "l -/", "l /", "l CK/QPR/-", "l ck/-"}) {
        CHECK(refused_at(with_line(c.lines, k, other), k));
      }
      // The same order in no known record, or with a word more.
      for (const std::string& other : {"x" + c.lines[k].substr(1), c.lines[k] + " 1"}) {
        CHECK(refused_at(with_line(c.lines, k, other), k));
      }
      // Neither leaf nor node of a tile can stand here, nor can the tile outside be a leaf.
      std::size_t tile = k - 1;
      while (!is_inner(c.lines[tile]) || !names_orders(c.lines[tile + 1])) --tile;
      for (const char reason : {'b', 'c', 'e', 'n'}) {
        const std::string record = reason + c.lines[tile].substr(1);
        CHECK(refused_at(with_line(c.lines, k, record), k));
        if (reason != 'n') CHECK(refused_at(with_line(c.lines, tile, record), tile));
      }
    }
  };
  for (std::uint64_t seed = 0; seed < 4 * testkit::cases(100); ++seed) {
    on_true_proof(seed, {testkit::deep_traced_instance(seed), {}, {}}, forge);
  }
  CHECK((orders > 20 || testkit::cases(100) < 100));
}

TEST_CASE("numbers of too many digits") {
  on_true_proofs([](const Case& c, Choices& choices) {
    const auto record = [](const std::string& line) { return is_leaf(line) || is_inner(line); };
    for (const std::size_t k : sample(c.lines, choices, record)) {
      for (const std::size_t digits : {18, 19, 20, 40, 100'000}) {
        std::string line = c.lines[k];
        line.replace(2, line.find('.') - 2, std::string(digits, '9'));
        const auto report = testkit::checked(joined(with_line(c.lines, k, line)));
        CHECK(report.reason == "line " + std::to_string(k + 1) + ": a number is too long");
      }
    }
    const std::size_t storage = find(c.lines, "s ");
    const std::string overflow = "o" + c.lines[storage].substr(1) + " " + std::string(30, '1');
    CHECK(refused_at(with_line(c.lines, storage, overflow), storage));
  });
}

TEST_CASE("orders where the row model does not ask for any") {
  on_true_proofs(
      [](const Case& c, Choices& choices) {
        const auto record = [](const std::string& line) { return is_leaf(line) || is_inner(line); };
        for (const std::size_t k : sample(c.lines, choices, record)) {
          CHECK(refused_at(with_line(c.lines, k, "l -/-"), k));
          Lines more = c.lines;
          more.insert(more.begin() + static_cast<std::ptrdiff_t>(k), "l -/-");
          CHECK(refused_at(more, k));
        }
      },
      RowModel::hybrid);
}

TEST_CASE("under the trace model, a part of the space closed for a reason that is not true") {
  std::size_t closed = 0;
  on_true_proofs(
      [&](const Case& c, Choices& choices) {
        const auto opened = [](const std::string& line) {
          return is_inner(line) || line.starts_with("e ");
        };
        for (const std::size_t k : sample(c.lines, choices, opened)) {
          for (const char reason : {'b', 'c', is_inner(c.lines[k]) ? 'e' : 'n'}) {
            CHECK(refused_at(with_line(c.lines, k, reason + c.lines[k].substr(1)), k));
            ++closed;
          }
        }
        // The counts of another row model do not stand in for the trace's.
        Instance other = c.instance;
        other.row_model = RowModel::hybrid;
        const std::string problem = canonical_instance(other.architecture, other.workload,
                                                       other.objective, other.row_model);
        Lines renamed = c.lines;
        renamed[find(renamed, "instance ")] = "instance " + problem;
        renamed[find(renamed, "sha256 ")] = "sha256 " + files::sha256(problem);
        const Metrics metrics =
            evaluate(other.architecture, other.workload, *c.solution.mapping, other.row_model);
        if (!as_good(c, metrics)) CHECK(refused(renamed));
      },
      RowModel::trace);
  CHECK((closed > 500 || testkit::cases(100) < 100));
}

TEST_CASE("a storage choice closed by an overflow that there is none") {
  on_true_proofs([](const Case& c, Choices& choices) {
    const auto choice = [](const std::string& line) { return line.starts_with("s "); };
    for (const std::size_t k : sample(c.lines, choices, choice)) {
      for (std::size_t m = 0; m < c.instance.architecture.levels.size(); ++m) {
        const std::string overflow = "o" + c.lines[k].substr(1) + " " + std::to_string(m);
        CHECK(refused_at(with_line(c.lines, k, overflow), k));
      }
    }
    const std::size_t mapping = find(c.lines, "mapping ");
    CHECK(refused(with_line(c.lines, mapping, "infeasible")));
    Lines short_of_all(c.lines.begin(), c.lines.begin() + static_cast<std::ptrdiff_t>(mapping));
    for (const char* line : {"infeasible", "end"}) short_of_all.emplace_back(line);
    CHECK(refused(short_of_all));
  });
}

TEST_CASE("another optimum claimed for the same mapping") {
  on_true_proofs([](const Case& c, Choices&) {
    for (std::size_t k = 0; k < c.lines.size(); ++k) {
      if (!c.lines[k].starts_with("goal ")) continue;
      const std::size_t space = c.lines[k].rfind(' ') + 1;
      const Rational value = Rational::parse(c.lines[k].substr(space));
      for (const Rational& step : {Rational(1), Rational(-1), Rational(1, 1000000)}) {
        const std::string claim = c.lines[k].substr(0, space) + (value + step).to_string();
        CHECK(refused_at(with_line(c.lines, k, claim), k));
      }
      const std::string renamed =
          "goal " + std::string(c.lines[k][5] == 'l' ? "energy" : "latency");
      CHECK(refused_at(with_line(c.lines, k, renamed + c.lines[k].substr(space - 1)), k));
    }
  });
}

namespace {

/// A true proof's tree under the claim that this feasible mapping is optimal, its costs all right.
Lines with_mapping(const Case& c, const Mapping& mapping, const Metrics& metrics) {
  const Instance& i = c.instance;
  const auto json = nlohmann::ordered_json::parse(
      evaluation_json(i.architecture, i.workload, i.row_model, mapping, metrics));
  Lines lines = c.lines;
  lines[find(lines, "mapping ")] = "mapping " + json["mapping"].dump();
  for (std::string& line : lines) {
    if (!line.starts_with("goal ")) continue;
    for (const dram_pim::Goal goal : i.objective.goals) {
      const std::string begin = "goal " + std::string(name(goal)) + " ";
      if (line.starts_with(begin)) line = begin + i.objective.value(goal, metrics).to_string();
    }
  }
  return lines;
}

}  // namespace

TEST_CASE("a mapping that is not optimal, with its true costs") {
  std::size_t worse = 0;
  std::size_t equal = 0;
  on_true_proofs([&](const Case& c, Choices& choices) {
    const Instance& i = c.instance;
    for (int n = 0; n < 30; ++n) {
      Mapping mapping = *c.solution.mapping;
      if (n % 2 == 0) {
        mapping = testkit::random_mapping(i.architecture, i.workload, choices, 4);
      } else {
        testkit::step(mapping, i.architecture, i.workload, choices);
      }
      if (find_violation(i.architecture, i.workload, mapping)) continue;
      const Metrics metrics = evaluate(i.architecture, i.workload, mapping, i.row_model);
      const Lines lines = with_mapping(c, mapping, metrics);
      if (as_good(c, metrics)) {
        ++equal;  // another optimum proves the same
        CHECK_FALSE(refused(lines));
        continue;
      }
      ++worse;
      CHECK(refused(lines));
      Solution lie = c.solution;
      lie.mapping = mapping;
      lie.metrics = metrics;
      CHECK_THROWS(prove(i.architecture, i.workload, testkit::options_for(i), lie));
    }
  });
  if (testkit::cases(100) < 100) return;
  CHECK(worse > 300);
  CHECK(equal > 50);
}

TEST_CASE("a mapping that breaks a rule") {
  std::size_t broken = 0;
  on_true_proofs([&](const Case& c, Choices& choices) {
    const Instance& i = c.instance;
    for (int n = 0; n < 30; ++n) {
      Mapping mapping = *c.solution.mapping;
      testkit::damage(mapping, choices);
      if (!find_violation(i.architecture, i.workload, mapping)) continue;
      const std::size_t k = find(c.lines, "mapping ");
      const std::string line = with_mapping(c, mapping, *c.solution.metrics)[k];
      if (line == c.lines[k]) continue;  // what was broken is not part of the file
      ++broken;
      CAPTURE(line);
      CHECK(refused_at(with_line(c.lines, k, line), k));
    }
  });
  CHECK((broken > 300 || testkit::cases(100) < 100));
}

TEST_CASE("thresholds that are no brackets") {
  on_true_proofs([](const Case& c, Choices&) {
    for (std::size_t k = 0; k < c.lines.size(); ++k) {
      if (!c.lines[k].starts_with("thresholds ")) continue;
      for (const char* list : {"", "5 inf 7", "inf inf", "7 5 inf", "5 5 inf", "5", "x inf",
                               "-5 inf", "5/0 inf", "0.5 inf", "inf 5", "0 inf"}) {
        CHECK(refused_at(with_line(c.lines, k, std::string("thresholds ") + list), k));
      }
      // Any positive number may be the first, however small.
      const std::string least = "thresholds 1/1" + std::string(60, '0') + " inf";
      CHECK_FALSE(refused_at(with_line(c.lines, k, least), k));
    }
  });
}

TEST_CASE("another problem") {
  on_true_proofs([](const Case& c, Choices&) {
    const std::size_t hash = find(c.lines, "sha256 ");
    const std::size_t instance = find(c.lines, "instance ");
    std::string line = c.lines[hash];
    line.back() = line.back() == '0' ? '1' : '0';
    CHECK(refused(with_line(c.lines, hash, line)));
    Workload other = c.instance.workload;
    other.bounds[0] += 1;
    CHECK(refused(
        with_line(c.lines, instance,
                  "instance " + canonical_instance(c.instance.architecture, other,
                                                   c.instance.objective, c.instance.row_model))));
    CHECK(refused(with_line(c.lines, 0, "pimbb-proof/2")));
  });
}

TEST_CASE("goals proven in another order than they are listed") {
  on_true_proofs([](const Case& c, Choices&) {
    if (c.instance.objective.goals.size() < 2) return;
    const std::size_t first = find(c.lines, "goal ");
    std::size_t second = first + 1;
    while (!c.lines[second].starts_with("goal ")) ++second;
    std::size_t end = second + 1;
    while (!c.lines[end].starts_with("goal ") && c.lines[end] != "end") ++end;
    Lines swapped = c.lines;
    const auto at = [&](std::size_t k) { return swapped.begin() + static_cast<std::ptrdiff_t>(k); };
    std::rotate(at(first), at(second), at(end));
    CHECK(refused(swapped));
  });
}

namespace {

/// Whether a changed proof is as good as the one that it was made from. It may differ, line by
/// line, in its mapping, if that is feasible and has the same values by the solver's own evaluator
/// (which shares no code with the checker); in its thresholds, of which any are right if the bounds
/// hold; and in leaves closed by the goals before, for which "closed by its bound" is the weaker
/// claim. Everything else is the same byte for byte, above all the instance and the tiles of the
/// tree.
bool equivalent(const Case& c, const Lines& changed) {
  if (changed.size() != c.lines.size()) return false;
  const Instance& i = c.instance;
  for (std::size_t k = 0; k < changed.size(); ++k) {
    const std::string& was = c.lines[k];
    const std::string& is = changed[k];
    if (is == was) continue;
    if (was.starts_with("thresholds ") && is.starts_with("thresholds ")) continue;
    if (was.starts_with("c ") && is == "b" + was.substr(1)) continue;
    if (!was.starts_with("mapping ") || !is.starts_with("mapping ")) return false;
    const Mapping mapping = parse_mapping(is.substr(8), "mapping", i.architecture);
    if (find_violation(i.architecture, i.workload, mapping)) return false;
    if (!as_good(c, evaluate(i.architecture, i.workload, mapping, i.row_model))) return false;
  }
  return true;
}

/// One change anywhere; half of them in the header, which is short beside the tree.
std::string with_changed_bytes(const std::string& text, Choices& choices) {
  std::string changed = text;
  const std::size_t tree = std::min(text.find("\nthresholds") + 40, text.size());
  const std::size_t from = choices.pick(choices.pick(2) == 0 ? text.size() : tree);
  switch (choices.pick(4)) {
    case 0: changed[from] = static_cast<char>(choices.pick(256)); break;
    case 1: changed.erase(from, 1 + choices.pick(4)); break;
    case 2: changed.insert(from, text, choices.pick(text.size()), 1 + choices.pick(30)); break;
    default: changed[from] = "0123456789.-/ \n\"]}"[choices.pick(18)]; break;
  }
  return changed;
}

/// Lines left out, repeated, moved, exchanged, or taken from `other`.
Lines with_changed_lines(Lines lines, const Lines& other, Choices& choices) {
  const auto at = [&] {
    return lines.begin() + static_cast<std::ptrdiff_t>(choices.pick(lines.size()));
  };
  const std::string foreign = other[choices.pick(other.size())];
  auto from = at();
  switch (choices.pick(6)) {
    case 0: lines.erase(from); break;
    case 1: lines.insert(from, std::string(*at())); break;
    case 2: std::swap(*from, *at()); break;
    case 3: *from = foreign; break;
    case 4: lines.insert(from, foreign); break;
    default: lines.erase(std::min(from, lines.end() - 1), lines.end()); break;
  }
  return lines;
}

}  // namespace

TEST_CASE("anything changed: refused, or equivalent") {
  std::size_t refusals = 0;
  Lines other{""};
  on_true_proofs([&](const Case& c, Choices& choices) {
    const std::string text = joined(c.lines);
    for (int n = 0; n < 60; ++n) {
      const std::string changed = n % 3 < 2 ? with_changed_bytes(text, choices)
                                            : joined(with_changed_lines(c.lines, other, choices));
      const auto report = testkit::checked(changed);
      if (report.accepted) {
        CAPTURE(changed);
        CHECK(testkit::objection(c.instance, c.solution, report) == "");
        CHECK(equivalent(c, split(changed)));
      } else {
        ++refusals;
        CHECK(report.reason.starts_with("line "));
      }
    }
    other = c.lines;
  });
  CHECK((refusals > 2500 || testkit::cases(100) < 100));
}
