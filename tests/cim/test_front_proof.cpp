// Proofs of fronts: true ones are accepted, and every other claim about the points is refused.
#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "cim/certify.hpp"
#include "cim/io/mapping_json.hpp"
#include "cim/naive.hpp"
#include "cim/random_instance.hpp"
#include "files/sha256.hpp"
#include "pimbb/cim/front_proof.hpp"
#include "pimbb/error.hpp"
#include "support/cases.hpp"
#include "support/full_size.hpp"
#include "support/lines.hpp"

using namespace pimbb;
using namespace pimbb::cim;

using testkit::lines_of;
using testkit::text_of;

namespace {

struct ProvenFront {
  naive::Instance instance;
  Question question;
  Front front;
  std::string text;
};

std::string proof_of(const ProvenFront& p, const RunLimits& limits = {}) {
  std::string text;
  const auto size = prove(p.instance.architecture, p.instance.layer, p.question, limits, p.front,
                          [&](std::string_view piece) { text += piece; });
  CHECK(size.bytes == text.size());
  return text;
}

/// Of a random layer, in either order of the axes, some within a limit on a goal.
ProvenFront proven_front(std::uint64_t seed, std::int64_t most_loops = 24) {
  ProvenFront p{naive::random_instance(seed, most_loops), certify::random_question(seed), {}, ""};
  if (seed % 7 == 0) p.instance.architecture.levels.back().size_bits = 64 + 8 * (seed % 64);
  std::vector<Goal> axes = kFrontAxes;
  if (seed % 2 == 1) std::ranges::reverse(axes);
  const auto& [architecture, layer] = std::tie(p.instance.architecture, p.instance.layer);
  p.front = solve_front(architecture, layer, axes, p.question);
  if (seed % 3 == 0 && p.front.points.size() > 1) {
    const FrontPoint& middle = p.front.points[p.front.points.size() / 2];
    const Goal goal = static_cast<Goal>(seed % 4);
    p.question.caps.push_back(
        {goal, p.question.objective.value(goal, middle.metrics.latency, middle.metrics.energy)});
    p.front = solve_front(architecture, layer, axes, p.question);
  }
  p.text = proof_of(p);
  return p;
}

template <class Check>
void for_fronts(std::size_t cases, std::uint64_t offset, const Check& check) {
  const std::size_t count = testkit::cases(cases);
  const std::uint64_t first = testkit::first_seed(90'000'000) + offset;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    CAPTURE(seed);
    check(seed);
  }
}

void check_refused(const std::vector<std::string>& lines) {
  CAPTURE(text_of(lines));
  CHECK_FALSE(certify::checked(text_of(lines)).accepted);
}

/// The lines of a proof with other points, as many as the text says.
std::vector<std::string> with_points(const std::vector<std::string>& lines,
                                     const std::vector<std::string>& mappings) {
  std::vector<std::string> changed(lines.begin(), lines.begin() + 3);
  changed.push_back("points " + std::to_string(mappings.size()));
  changed.insert(changed.end(), mappings.begin(), mappings.end());
  const auto schemes = std::find_if(lines.begin() + 4, lines.end(), [](const std::string& line) {
    return !line.starts_with("mapping ");
  });
  changed.insert(changed.end(), schemes, lines.end());
  return changed;
}

std::vector<std::string> mappings_in(const std::vector<std::string>& lines) {
  std::vector<std::string> found;
  std::ranges::copy_if(lines, std::back_inserter(found),
                       [](const std::string& line) { return line.starts_with("mapping "); });
  return found;
}

}  // namespace

TEST_CASE("every front of a random layer is proven") {
  std::size_t infeasible = 0, several = 0, limited = 0;
  for_fronts(400, 0, [&](std::uint64_t seed) {
    const ProvenFront p = proven_front(seed, 48);
    const pimbb_check::Report report = certify::checked(p.text);
    CHECK(report.reason == "");
    CHECK(report.accepted);
    const std::size_t points = p.front.points.size();
    CHECK(report.claim.find(": " + std::to_string(points) + " point") != std::string::npos);
    infeasible += points == 0 ? 1 : 0;
    several += points > 2 ? 1 : 0;
    limited += p.question.caps.empty() ? 0 : 1;
  });
  CHECK((testkit::cases(400) < 400 || (infeasible > 2 && several > 20 && limited > 20)));
}

TEST_CASE("a proof does not depend on threads") {
  for_fronts(20, 1'000, [](std::uint64_t seed) {
    const ProvenFront p = proven_front(seed);
    CHECK(proof_of(p, {.threads = 1}) == p.text);
    CHECK(proof_of(p, {.threads = 3}) == p.text);
  });
}

// What is left out opens a part of some scheme, unless that had to be searched anyway: then the
// search finds it.
TEST_CASE("a front without one of its points is refused") {
  for_fronts(100, 2'000, [](std::uint64_t seed) {
    const ProvenFront p = proven_front(seed);
    const std::vector<std::string> lines = lines_of(p.text);
    const std::vector<std::string> mappings = mappings_in(lines);
    for (std::size_t k = 0; k < mappings.size(); ++k) {
      std::vector<std::string> fewer = mappings;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(k));
      check_refused(with_points(lines, fewer));
      // Not even with the reasons that such a claim needs.
      ProvenFront other = p;
      other.front.points.erase(other.front.points.begin() + static_cast<std::ptrdiff_t>(k));
      other.front.found = other.front.points.size();
      if (other.front.points.empty()) other.front.status = FrontStatus::infeasible;
      CHECK_FALSE(certify::checked(proof_of(other)).accepted);
    }
  });
}

TEST_CASE("a mapping that is not on the front is refused as a point, wherever it stands") {
  for_fronts(40, 3'000, [](std::uint64_t seed) {
    ProvenFront p{naive::random_instance(seed, 8), {}, {}, ""};
    p.front = solve_front(p.instance.architecture, p.instance.layer, kFrontAxes, p.question);
    p.text = proof_of(p);
    const std::vector<std::string> lines = lines_of(p.text);
    const std::vector<std::string> mappings = mappings_in(lines);
    std::size_t each = 0;
    naive::for_each_mapping(p.instance.architecture, p.instance.layer, [&](const Mapping& m) {
      if (each++ % (testkit::slow_build() ? 9973 : 997) != seed % 997) return;
      const Metrics metrics = evaluate(p.instance.architecture, p.instance.layer, m, {});
      for (std::size_t k = 0; k <= mappings.size(); ++k) {
        const std::string line = "mapping " + io::mapping_json(p.instance.architecture, m).dump();
        std::vector<std::string> more = mappings;
        more.insert(more.begin() + static_cast<std::ptrdiff_t>(k), line);
        check_refused(with_points(lines, more));
        if (k == mappings.size()) break;
        std::vector<std::string> other = mappings;
        other[k] = line;
        const FrontPoint& point = p.front.points[k];
        const bool equal =
            metrics.latency == point.metrics.latency && metrics.energy == point.metrics.energy;
        CHECK(certify::checked(text_of(with_points(lines, other))).accepted == equal);
      }
    });
  });
}

TEST_CASE("records of a front that are changed, removed, repeated or moved are refused") {
  for_fronts(40, 4'000, [](std::uint64_t seed) {
    const ProvenFront p = proven_front(seed);
    const std::vector<std::string> lines = lines_of(p.text);
    const auto refuses = [&](const std::vector<std::string>& changed) {
      if (changed != lines) check_refused(changed);
    };
    testkit::for_each_forgery(
        lines, 1 + lines.size() / 30,
        {"b", "x", "t", "y 0", "y 1", "end", "points 0", "points 1", "infeasible", ""}, refuses);
    CHECK_FALSE(certify::checked(p.text + "end\n").accepted);
  });
}

TEST_CASE("only whole fronts are proven, and only of axes that have one") {
  const ProvenFront p = proven_front(90'000'006);
  REQUIRE(!p.front.points.empty());
  ProvenFront other = p;
  other.front.status = FrontStatus::partial;
  CHECK_THROWS_AS(proof_of(other), InputError);
  other = p;
  ++other.front.found;
  CHECK_THROWS_AS(proof_of(other), InputError);
  for (const auto& [old_text, new_text] :
       {std::pair{R"("goals":["latency","energy"])", R"("goals":["latency","edp"])"},
        std::pair{R"("goals":["latency","energy"])", R"("goals":["latency"])"},
        std::pair{R"("semantics":"recursion")", R"("semantics":"simulator")"}}) {
    std::vector<std::string> lines = lines_of(p.text);
    const std::size_t at = lines[2].find(old_text);
    if (at == std::string::npos) continue;
    lines[2].replace(at, std::string(old_text).size(), new_text);
    lines[1] = "sha256 " + files::sha256(lines[2].substr(std::string("instance ").size()));
    check_refused(lines);
  }
}
