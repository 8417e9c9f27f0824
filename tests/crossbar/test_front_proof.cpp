// Proofs of fronts of crossbar accelerators: true ones are accepted, and every other claim about
// the points is refused, also with trees that an adversary writes.
#include <doctest/doctest.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <sstream>
#include <stop_token>

#include "crossbar/exhaustion.hpp"
#include "crossbar/golden.hpp"
#include "crossbar/instances.hpp"
#include "crossbar/proof/canonical.hpp"
#include "crossbar/proof/refute.hpp"
#include "files/sha256.hpp"
#include "pimbb-check/check.hpp"
#include "pimbb-check/crossbar/boxes.hpp"
#include "pimbb/crossbar.hpp"
#include "pimbb/error.hpp"
#include "support/cases.hpp"
#include "support/lines.hpp"

using namespace pimbb;
using namespace pimbb::crossbar;
using testkit::Draw;
using testkit::Instance;
using testkit::lines_of;
using testkit::text_of;

namespace {

using FrontCosts = std::vector<std::vector<Rational>>;

struct ProvenFront {
  Instance at;
  Front front;
  std::vector<std::string> lines;
};

std::string front_proof(const Instance& at, const Front& front, const RunLimits& limits = {}) {
  std::string text;
  const FrontProofSize size =
      prove(at.a, at.graph, limits, front, [&](std::string_view piece) { text += piece; });
  CHECK(size.bytes == text.size());
  CHECK(size.records + 5 + front.points.size() == lines_of(text).size());
  return text;
}

ProvenFront proven_front(Instance at, std::size_t i) {
  ProvenFront p{std::move(at), {}, {}};
  p.front = solve_front(p.at.a, p.at.p, i % 3 == 0 ? std::vector{Goal::ll, Goal::ht} : kFrontAxes);
  p.lines = lines_of(front_proof(p.at, p.front));
  return p;
}

pimbb_check::Report check_lines(const std::vector<std::string>& lines) {
  std::istringstream stream(text_of(lines));
  return pimbb_check::check(stream);
}

std::int64_t from_to(Draw& draw, std::int64_t least, std::int64_t most) {
  return least + static_cast<std::int64_t>(draw() % static_cast<std::uint64_t>(most - least + 1));
}

/// Fronts of several points: few windows beside more replicas than that, so that some are idle.
Instance with_trade_offs(Draw& draw) {
  Instance at = testkit::random_branches(draw);
  at.a.cores = from_to(draw, 1, 2);
  at.a.core.crossbars = from_to(draw, 5, 12);
  at.a.core.rows = 128;
  at.a.core.columns = std::int64_t{16} << draw() % 3;
  at.a.core.max_nodes = 6;
  at.a.mvm = {50 * from_to(draw, 1, 4), 50};
  at.p = make_partition(at.a, at.graph);
  return at;
}

Instance larger_network() { return testkit::modules(1, 2, {"core.crossbars=32"}); }

template <class Check>
void for_fronts(std::size_t cases, std::uint64_t offset, const Check& check) {
  Draw draw(testkit::first_seed(1) + offset);
  for (std::size_t i = 0; i < testkit::cases(cases); ++i) {
    CAPTURE(i);
    check(
        proven_front(i % 2 == 0 ? with_trade_offs(draw) : testkit::drawn_instance(draw, i / 2), i),
        draw);
  }
}

bool is_mapping(const std::string& line) { return line.starts_with("mapping "); }

std::vector<std::string> mappings_in(const std::vector<std::string>& lines) {
  std::vector<std::string> found;
  std::ranges::copy_if(lines, std::back_inserter(found), is_mapping);
  return found;
}

/// The lines of a proof with other points, as many as the text says.
std::vector<std::string> with_points(const std::vector<std::string>& lines,
                                     const std::vector<std::string>& mappings) {
  std::vector<std::string> changed(lines.begin(), lines.begin() + 3);
  changed.push_back("points " + std::to_string(mappings.size()));
  changed.insert(changed.end(), mappings.begin(), mappings.end());
  changed.insert(changed.end(), std::find_if_not(lines.begin() + 4, lines.end(), is_mapping),
                 lines.end());
  return changed;
}

/// {ht, ll} of the mapping of a line.
std::vector<Rational> costs_of_line(const Instance& at, const std::string& line) {
  const golden::Json json = golden::Json::parse(line.substr(std::string("mapping ").size()));
  Mapping mapping;
  mapping.replication = json.at("replication").get<std::vector<std::int64_t>>();
  for (const golden::Json& core : json.at("cores")) {
    std::vector<Share>& shares = mapping.cores.emplace_back();
    for (const golden::Json& share : core) {
      shares.push_back({share[0].get<std::size_t>(), share[1].get<std::int64_t>()});
    }
  }
  CHECK(!find_violation(at.a, at.p, mapping));
  const Metrics metrics = evaluate(at.a, at.p, mapping);
  return {Rational(metrics.ht), metrics.latency->ll};
}

/// {ht, ll} by ascending `ht`.
FrontCosts staircase_of(const Front& front) {
  FrontCosts costs;
  for (const FrontPoint& point : front.points) {
    costs.push_back({Rational(point.metrics.ht), point.metrics.latency->ll});
  }
  std::ranges::sort(costs);
  return costs;
}

/// Refused, or nevertheless the front of the same problem.
void check_changed_front(const ProvenFront& p, const std::vector<std::string>& changed) {
  if (!check_lines(changed).accepted) return;
  CAPTURE(text_of(p.lines));
  CAPTURE(text_of(changed));
  REQUIRE(changed[2] == p.lines[2]);
  FrontCosts claimed;
  for (const std::string& line : mappings_in(changed)) {
    claimed.push_back(costs_of_line(p.at, line));
  }
  std::ranges::sort(claimed);
  CHECK(claimed == staircase_of(p.front));
}

/// The records that refute all mappings with less `ht` and less `ll`.
std::vector<std::string> tree_below(const Instance& at, const std::optional<Rational>& ht,
                                    const std::optional<Rational>& ll) {
  const assign::Problem problem(at.a, at.p);
  assign::Effort effort;
  std::vector<std::string> records;
  const assign::Trace trace = [&](const std::string& record) { records.push_back(record); };
  if (ht && ll) {
    proof::refute_joint(problem, *ht->in_units(1), *ll, effort, trace);
  } else if (ht) {
    proof::refute_throughput(problem, *ht->in_units(1), effort, trace);
  } else {
    proof::refute_latency(problem, *ll, effort, trace);
  }
  return records;
}

/// Points as lines and trees, both by ascending `ht`.
struct Forged {
  std::vector<std::string> mappings;
  std::vector<std::vector<std::string>> trees;

  [[nodiscard]] bool is_accepted(const ProvenFront& p) const {
    std::vector<std::string> points = mappings;
    if (p.front.axes.front() == Goal::ll) std::ranges::reverse(points);
    std::vector<std::string> lines(p.lines.begin(), p.lines.begin() + 3);
    lines.push_back("points " + std::to_string(points.size()));
    lines.insert(lines.end(), points.begin(), points.end());
    for (const auto& tree : trees) lines.insert(lines.end(), tree.begin(), tree.end());
    lines.emplace_back("end");
    return check_lines(lines).accepted;
  }
};

/// The proof of a front as it is.
Forged taken_apart(const ProvenFront& p) {
  Forged parts;
  parts.mappings = mappings_in(p.lines);
  if (p.front.axes.front() == Goal::ll) std::ranges::reverse(parts.mappings);
  const FrontCosts costs = staircase_of(p.front);
  parts.trees.push_back(tree_below(p.at, costs.front()[0], std::nullopt));
  for (std::size_t i = 0; i + 1 < costs.size(); ++i) {
    parts.trees.push_back(tree_below(p.at, costs[i + 1][0], costs[i][1]));
  }
  parts.trees.push_back(tree_below(p.at, std::nullopt, costs.back()[1]));
  return parts;
}

/// Another mapping of the replications of a line, with more `ht`; "" if there is none.
std::string slower(const Instance& at, const std::string& line) {
  const std::int64_t ht = *costs_of_line(at, line)[0].in_units(1);
  const golden::Json json = golden::Json::parse(line.substr(std::string("mapping ").size()));
  std::string found;
  testkit::for_each_mapping(at.a, at.p, json.at("replication").get<testkit::Replication>(),
                            [&](const Mapping& mapping) {
                              if (!found.empty() || evaluate(at.a, at.p, mapping).ht <= ht) return;
                              found = "mapping " + proof::mapping_text(mapping);
                            });
  return found;
}

// --- the adversary

/// Writes a tree for a claim about a deadline and a limit of `ll` so that the checker accepts it,
/// if it would accept any: closes whatever the checker grants, and divides the rest.
class Adversary {
 public:
  Adversary(const pimbb_check::crossbar::Problem& p, const std::vector<Rational>& corner,
            const std::vector<std::string>& records, Draw& draw)
      : p_(p),
        ht_(pimbb_check::parse_rational(corner[0].to_string())),
        ll_(pimbb_check::parse_rational(corner[1].to_string())),
        draw_(draw) {
    for (const std::string& record : records) {
      if (record.starts_with("cut ")) lines_.push_back(record);
      if (record.starts_with("mix ") || record.starts_with("prices ")) closing_.push_back(record);
    }
    for (std::int64_t width = 1; width <= p.crossbars + 1; ++width) {
      closing_.push_back("wide " + std::to_string(width));
    }
    for (const char* record : {"slow", "load", "room", "empty"}) closing_.emplace_back(record);
  }

  /// Whether a tree was found.
  bool grow() {
    while (!why().empty()) {
      if (!closed() && !packed() && !divided()) return false;
    }
    return true;
  }

 private:
  static constexpr const char* kMore = "the proof ends too early";

  /// Why the tree is refused, or "".
  [[nodiscard]] std::string why() const {
    std::istringstream stream(text_of(lines_));
    pimbb_check::Lines lines(stream);
    pimbb_check::crossbar::TreeWork work;
    try {
      pimbb_check::crossbar::check_joint_tree(p_, ht_, ll_, lines, work);
      lines.finish();
    } catch (const pimbb_check::Refusal& refusal) {
      return refusal.what();
    }
    return "";
  }
  /// Adds a record if it is not refused.
  bool added(const std::string& record) {
    lines_.push_back(record);
    const std::string refusal = why();
    if (refusal.empty() || refusal == kMore) return true;
    lines_.pop_back();
    return false;
  }
  bool closed() {
    return std::ranges::any_of(closing_, [&](const std::string& r) { return added(r); });
  }
  bool packed() {
    const std::size_t before = lines_.size();
    if (!added("pack")) return false;
    while (true) {
      lines_.emplace_back("?");
      const std::string refusal = why();
      lines_.pop_back();
      if (refusal != "an unknown record of a packing") {
        if (refusal != "everything is packed") return true;
        lines_.resize(before);
        return false;
      }
      const bool any = added("r") || added("t") || added("d 0") || added("c");
      CHECK(any);
      if (!any) return false;
    }
  }
  bool divided() {
    std::vector<std::string> splits;
    for (std::size_t f = 0; f < p_.families.size(); ++f) {
      for (std::int64_t r = 1; r < p_.families[f].windows; ++r) {
        splits.push_back("split " + std::to_string(f) + " " + std::to_string(r));
      }
    }
    std::ranges::shuffle(splits, draw_);
    return std::ranges::any_of(splits, [&](const std::string& split) { return added(split); });
  }

  const pimbb_check::crossbar::Problem& p_;
  const pimbb_check::Rational ht_, ll_;
  Draw& draw_;
  std::vector<std::string> closing_;
  std::vector<std::string> lines_;
};

/// Cuts, mixes and prices of the tree of the joint claim, and the same with other prices.
std::vector<std::string> records_of_tree(const Instance& at, const std::vector<Rational>& corner,
                                         Draw& draw) {
  std::vector<std::string> records;
  const assign::Problem problem(at.a, at.p);
  assign::Effort effort;
  try {
    proof::refute_joint(problem, *corner[0].in_units(1), corner[1], effort,
                        [&](const std::string& record) { records.push_back(record); });
  } catch (const std::logic_error&) {
    // the claim is false; what was told so far will do
  }
  std::vector<std::string> more;
  for (const std::string& record : records) {
    if (!record.starts_with("prices ")) continue;
    std::istringstream words(record);
    std::string name, rest;
    std::uint64_t price = 0, work = 0, width = 0;
    words >> name >> price >> work >> width;
    std::getline(words, rest);
    for (std::uint64_t other = 1; other <= width; ++other) {
      more.push_back("prices " + std::to_string(price / 2) + " " + std::to_string(work * 2) + " " +
                     std::to_string(other) + rest);
    }
    more.push_back("mix " + std::to_string(draw() % (2 * price + 1)) + rest);
  }
  records.insert(records.end(), more.begin(), more.end());
  return records;
}

}  // namespace

TEST_CASE("every front of a random network is proven") {
  std::size_t infeasible = 0, several = 0;
  std::map<std::string, std::size_t> kinds;  // of records
  for_fronts(400, 0, [&](const ProvenFront& p, Draw&) {
    const pimbb_check::Report report = check_lines(p.lines);
    CAPTURE(text_of(p.lines));
    CHECK(report.reason == "");
    CHECK(report.accepted);
    CHECK(staircase_of(p.front) == testkit::front_by_exhaustion(p.at.a, p.at.p));
    const std::size_t points = p.front.points.size();
    const std::string axes = p.front.axes == kFrontAxes ? "ht, ll" : "ll, ht";
    CHECK(report.claim.starts_with("front of " + axes + ": " + std::to_string(points) + " point"));
    infeasible += points == 0 ? 1 : 0;
    several += points > 2 ? 1 : 0;
    for (const std::string& line : p.lines) ++kinds[line.substr(0, line.find(' '))];
  });
  std::cout << "proofs of fronts: " << several << " of three points or more; " << infeasible
            << " of none;";
  for (const auto& [kind, count] : kinds) std::cout << " " << kind << " " << count;
  std::cout << "\n";
  if (testkit::cases(400) < 400) return;
  CHECK(infeasible > 2);
  CHECK(several > 20);
  for (const char* kind : {"split", "empty", "room", "load", "wide", "slow", "mix", "prices", "cut",
                           "pack", "r", "t", "c", "d"}) {
    CAPTURE(kind);
    CHECK(kinds[kind] > 0);
  }
}

TEST_CASE("golden fronts are proven") {
  const auto folder = golden::folder();
  if (!folder) return;
  std::size_t i = 0;
  for (const golden::Json& line : golden::lines(*folder / "optima_tiny.jsonl")) {
    if (!testkit::chosen(i++)) continue;
    CAPTURE(i);
    CHECK(check_lines(proven_front(testkit::golden_instance(line, *folder), i).lines).reason == "");
  }
}

TEST_CASE("the proof of a larger network, with prices of multiplications") {
  const ProvenFront p = proven_front(larger_network(), 1);
  REQUIRE(p.front.status == FrontStatus::complete);
  REQUIRE(p.front.points.size() > 2);
  CHECK(check_lines(p.lines).reason == "");
  const auto has_prices = [](const std::string& line) { return line.starts_with("prices "); };
  CHECK(std::ranges::any_of(p.lines, has_prices));
  // Less weight, or a price for cores that the box does not leave to narrow array groups.
  for (std::size_t k = 0; k < p.lines.size(); ++k) {
    if (!has_prices(p.lines[k])) continue;
    std::vector<std::string> changed = p.lines;
    changed[k] = changed[k].substr(0, changed[k].rfind(' '));
    check_changed_front(p, changed);
    const std::size_t word = p.lines[k].find(' ', p.lines[k].find(' ') + 1);
    for (const char* insert : {"0", "9"}) {
      changed = p.lines;
      changed[k].insert(word, insert);
      check_changed_front(p, changed);
    }
  }
}

TEST_CASE("a proof of a front does not depend on threads, and limits end it") {
  for_fronts(20, 1'000, [](const ProvenFront& p, Draw&) {
    const std::string text = text_of(p.lines);
    CHECK(front_proof(p.at, p.front, {.threads = 1}) == text);
    CHECK(front_proof(p.at, p.front, {.threads = 3}) == text);
  });
  const Instance at = larger_network();
  const Front front = solve_front(at.a, at.p);
  RunLimits none;
  none.time_limit = 0;
  CHECK_THROWS_AS(front_proof(at, front, none), LimitError);
  std::stop_source request;
  request.request_stop();
  RunLimits stopped;
  stopped.stop = request.get_token();
  CHECK_THROWS_AS(front_proof(at, front, stopped), LimitError);
}

TEST_CASE("a front without one of its points is refused") {
  for_fronts(100, 2'000, [](const ProvenFront& p, Draw&) {
    const std::vector<std::string> mappings = mappings_in(p.lines);
    for (std::size_t k = 0; k < mappings.size(); ++k) {
      std::vector<std::string> fewer = mappings;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(k));
      CHECK_FALSE(check_lines(with_points(p.lines, fewer)).accepted);
      Front other = p.front;
      other.points.erase(other.points.begin() + static_cast<std::ptrdiff_t>(k));
      other.found = other.points.size();
      if (other.points.empty()) other.status = FrontStatus::infeasible;
      CHECK_THROWS_AS(front_proof(p.at, other), std::logic_error);
    }
  });
}

TEST_CASE("trees that refute less than a front claims are refused") {
  std::size_t tried = 0;
  for_fronts(100, 8'000, [&](const ProvenFront& p, Draw&) {
    const FrontCosts costs = staircase_of(p.front);
    if (costs.size() < 2) return;
    const Forged whole = taken_apart(p);
    CHECK(whole.is_accepted(p));
    for (std::size_t k = 0; k < costs.size(); ++k) {
      // One of both trees beside the point, in place of the one that the front without it needs.
      for (const std::size_t kept : {k, k + 1}) {
        Forged fewer = whole;
        fewer.mappings.erase(fewer.mappings.begin() + static_cast<std::ptrdiff_t>(k));
        fewer.trees.erase(fewer.trees.begin() + static_cast<std::ptrdiff_t>(2 * k + 1 - kept));
        CHECK_FALSE(fewer.is_accepted(p));
        // Or one for the corner that the next point is itself.
        if (k == 0 || k + 1 == costs.size()) continue;
        const std::vector<Rational>& other = costs[kept == k ? k - 1 : k + 1];
        fewer.trees[k] = tree_below(p.at, other[0], other[1]);
        CHECK_FALSE(fewer.is_accepted(p));
        ++tried;
      }
    }
  });
  CHECK((tried > 0 || testkit::cases(100) < 100));
}

TEST_CASE("without a price of multiplications prices are a mix, but only before a deadline") {
  std::size_t before = 0, without = 0;
  for_fronts(100, 10'000, [&](const ProvenFront& p, Draw&) {
    if (p.front.points.empty()) return;
    const Forged whole = taken_apart(p);
    const std::string all_cores = " 0 " + std::to_string(p.at.a.core.crossbars + 1);
    for (std::size_t i = 1; i < whole.trees.size(); ++i) {
      for (std::size_t k = 0; k < whole.trees[i].size(); ++k) {
        const std::string& mix = whole.trees[i][k];
        if (!mix.starts_with("mix ")) continue;
        Forged changed = whole;
        std::string& record = changed.trees[i][k];
        record.insert(record.find(' ', 4), all_cores);
        record.replace(0, 3, "prices");
        const bool has_deadline = i + 1 < whole.trees.size();
        CHECK(changed.is_accepted(p) == has_deadline);
        ++(has_deadline ? before : without);
      }
    }
  });
  CHECK((testkit::cases(100) < 100 || (before > 0 && without > 0)));
}

TEST_CASE("points that others equal or beat are refused, with all trees that they want") {
  std::size_t slow = 0;
  for_fronts(100, 9'000, [&](const ProvenFront& p, Draw&) {
    const FrontCosts costs = staircase_of(p.front);
    if (costs.empty()) return;
    const Forged whole = taken_apart(p);
    for (std::size_t k = 0; k < costs.size(); ++k) {
      const auto at = static_cast<std::ptrdiff_t>(k + 1);
      Forged more = whole;
      more.mappings.insert(more.mappings.begin() + at, whole.mappings[k]);
      more.trees.insert(more.trees.begin() + at, tree_below(p.at, costs[k][0], costs[k][1]));
      CHECK_FALSE(more.is_accepted(p));
      const std::string line = slower(p.at, whole.mappings[k]);
      if (line.empty()) continue;
      const Rational ht = costs_of_line(p.at, line)[0];
      if (k + 1 < costs.size() && ht >= costs[k + 1][0]) continue;
      more = whole;
      more.mappings.insert(more.mappings.begin() + at, line);
      more.trees.insert(more.trees.begin() + at, tree_below(p.at, ht, costs[k][1]));
      CHECK_FALSE(more.is_accepted(p));
      ++slow;
    }
  });
  CHECK((slow > 0 || testkit::cases(100) < 100));
}

TEST_CASE("a mapping that is not on the front is refused as a point, wherever it stands") {
  for_fronts(60, 3'000, [](const ProvenFront& p, Draw& draw) {
    const std::vector<std::string> mappings = mappings_in(p.lines);
    // Mappings of other problems, which may be legal here, and of searches that were stopped.
    std::vector<std::string> foreign;
    Instance other = p.at;
    other.a.mvm = {other.a.mvm.interval, other.a.mvm.time};
    foreign = mappings_in(proven_front(other, draw() % 3).lines);
    for (const Goal goal : {Goal::ht, Goal::ll}) {
      const Solution found = solve(p.at.a, p.at.p, {goal}, {.threads = 1, .node_limit = 1});
      if (!found.mapping) continue;
      Solution claim = found;
      claim.result = {goal,
                      goal == Goal::ht ? Rational(found.metrics->ht) : found.metrics->latency->ll,
                      goal == Goal::ht ? Rational(1) : Rational(1, 1000)};
      foreign.push_back(lines_of(prove(p.at.a, p.at.graph, {goal}, {}, claim).text)[3]);
    }
    for (const std::string& line : foreign) {
      for (std::size_t k = 0; k <= mappings.size(); ++k) {
        std::vector<std::string> more = mappings;
        more.insert(more.begin() + static_cast<std::ptrdiff_t>(k), line);
        CHECK_FALSE(check_lines(with_points(p.lines, more)).accepted);
        if (k == mappings.size()) break;
        std::vector<std::string> exchanged = mappings;
        exchanged[k] = line;
        check_changed_front(p, with_points(p.lines, exchanged));
      }
    }
  });
}

TEST_CASE("records of a front that are changed, removed, repeated or moved prove nothing false") {
  for_fronts(40, 4'000, [](const ProvenFront& p, Draw&) {
    testkit::for_each_forgery(
        p.lines, 1 + p.lines.size() / 30,
        {"room",
         "load",
         "empty",
         "slow",
         "pack",
         "wide 1",
         "wide 2",
         "split 0 1",
         "split 0 2",
         "c",
         "r",
         "t",
         "d 0",
         "mix 0 0:1048576",
         "prices 0 0 0 0:1048576",
         "prices 0 0 1 0:1048576",
         "prices 1000000 1000000 9 0:1048576",
         "cut 1:0",
         "end",
         "infeasible",
         "points 0",
         "points 1",
         ""},
        [&](const std::vector<std::string>& changed) { check_changed_front(p, changed); });
    CHECK_FALSE(check_lines([&] {
                  std::vector<std::string> longer = p.lines;
                  longer.emplace_back("end");
                  return longer;
                }())
                    .accepted);
  });
}

TEST_CASE("a byte of a front that is changed proves nothing false") {
  for_fronts(40, 5'000, [](const ProvenFront& p, Draw& draw) {
    const std::string text = text_of(p.lines);
    for (std::size_t k = draw() % 11; k < text.size(); k += 11) {
      std::string flipped = text;
      flipped[k] = static_cast<char>(flipped[k] ^ (1 << draw() % 7));
      check_changed_front(p, lines_of(flipped));
    }
  });
}

TEST_CASE("an adversary proves every claim about both goals that is true, and no other") {
  constexpr std::size_t kMostReplications = 150;  // of a tree without good bounds
  std::size_t proven = 0, refused = 0;
  for_fronts(300, 6'000, [&](const ProvenFront& p, Draw& draw) {
    const pimbb_check::crossbar::Problem problem(
        canonical_front_instance(p.at.a, p.at.graph, kFrontAxes), /*front=*/true);
    const auto grows = [&](const std::vector<Rational>& corner) {
      return Adversary(problem, corner, records_of_tree(p.at, corner, draw), draw).grow();
    };
    const FrontCosts costs = staircase_of(p.front);
    if (testkit::family_replications(p.at.a, p.at.p).size() > kMostReplications) return;
    const Rational little(1, 1'000'000);
    for (std::size_t i = 0; i < costs.size(); ++i) {
      const std::vector<Rational>& next = costs[std::min(i + 1, costs.size() - 1)];
      CHECK_FALSE(grows({costs[i][0] + 1, costs[i][1] + little}));
      CHECK(grows({next[0], costs[i][1]}));
      if (i == 0) CHECK(grows({costs[i][0], costs[i][1] * 2}));
      proven += i == 0 ? 2 : 1;
      ++refused;
      if (i + 1 == costs.size()) break;
      CHECK_FALSE(grows({next[0] + 1, costs[i][1]}));
      CHECK_FALSE(grows({next[0], costs[i][1] + little}));
      refused += 2;
    }
  });
  std::cout << "claims of an adversary: " << proven << " proven, " << refused << " refused\n";
  CHECK((proven > 20 || testkit::cases(300) < 300));
}

TEST_CASE("the trees of another problem are refused or prove it") {
  for_fronts(40, 7'000, [](const ProvenFront& p, Draw&) {
    Instance other = p.at;
    other.a.cores += 1;
    other.p = make_partition(other.a, other.graph);
    const std::string instance = canonical_front_instance(other.a, other.graph, p.front.axes);
    std::vector<std::string> changed = p.lines;
    changed[1] = "sha256 " + files::sha256(instance);
    changed[2] = "instance " + instance;
    // Mappings have a core too few there.
    if (!p.front.points.empty()) CHECK_FALSE(check_lines(changed).accepted);
    std::istringstream stream(text_of(p.lines));
    CHECK_FALSE(pimbb_check::check(stream, instance).accepted);
  });
}

TEST_CASE("only whole fronts are proven, of the two axes, without limits of local memory") {
  Draw draw(3);
  ProvenFront p = proven_front(testkit::random_branches(draw), 1);
  while (p.front.points.empty()) p = proven_front(testkit::random_branches(draw), 1);
  Front other = p.front;
  other.status = FrontStatus::partial;
  CHECK_THROWS_WITH_AS(front_proof(p.at, other), doctest::Contains("status is 'partial'"),
                       InputError);
  other = p.front;
  ++other.found;
  CHECK_THROWS_WITH_AS(front_proof(p.at, other), doctest::Contains("allowed are all of them"),
                       InputError);
  Instance enforced = p.at;
  enforced.a.core.enforce_local_memory = true;
  CHECK_THROWS_WITH_AS(front_proof(enforced, p.front), doctest::Contains("enforce_local_memory"),
                       InputError);
  for (const char* axes : {R"("goals":["ht"])", R"("goals":["ht","ht"])", R"("goal":"ht")",
                           R"("goals":["ht","energy"])", R"("goals":["ht","ll","ht"])"}) {
    std::vector<std::string> lines = p.lines;
    const std::string old_text = R"("goals":["ht","ll"])";
    lines[2].replace(lines[2].find(old_text), old_text.size(), axes);
    lines[1] = "sha256 " + files::sha256(lines[2].substr(std::string("instance ").size()));
    CHECK_FALSE(check_lines(lines).accepted);
  }
}
