// The order of the document: problem, mapping, claim, tree.
#include "check.hpp"

#include "../document.hpp"
#include "boxes.hpp"

namespace pimbb_check::crossbar {
namespace {

std::string count(std::uint64_t number, const std::string& what) {
  return std::to_string(number) + " " + what;
}

std::vector<std::string> described(const TreeWork& work) {
  return {count(work.boxes, "boxes: ") + count(work.by_count, "closed by counting, ") +
          count(work.by_mix, "by a mix of cuts, ") + count(work.by_value, "by their best value, ") +
          count(work.packings, "by packings (") + count(work.packing.states, "states, ") +
          count(work.packing.contents, "contents of cores), 0 assumed")};
}

/// "goal NAME VALUE", or "goal NAME VALUE BOUND" for a mapping that need not be optimal.
Rational claim(const Problem& p, const Rational& value, Lines& lines, Report& report) {
  lines.next();
  const std::vector<std::string> words = lines.words();
  require((words.size() == 3 || words.size() == 4) && words[0] == "goal", "a goal is wanted here");
  require(words[1] == kGoalNames[p.latency ? 1 : 0], "another goal is wanted here");
  require(parse_rational(words[2]) == value, "the mapping has another value of this goal");
  report.optimum.emplace_back(words[1], words[2]);
  if (words.size() == 3) return value;
  const Rational bound = parse_rational(words[3]);
  require(bound < value, "the bound is not below the value");
  report.bound = words[3];
  return bound;
}

}  // namespace

void check(Lines& lines, const std::optional<std::string>& instance, Report& report) {
  const std::string text = read_instance(lines, instance);
  const Problem p(text);
  report.problem = p.description();
  TreeWork work;
  if (lines.next() == "infeasible") {
    check_infeasible(p, lines, work);
  } else {
    require(lines.line().starts_with("mapping "), "'mapping ...' or 'infeasible' is wanted here");
    const Rational value = value_of_mapping(p, lines.line().substr(8));
    const Rational bound = claim(p, value, lines, report);
    if (p.latency) {
      check_latency_tree(p, bound, lines, work);
    } else {
      check_throughput_tree(p, bound, lines, work);
    }
  }
  require(lines.next() == "end", "the proof does not end here");
  report.details = described(work);
}

}  // namespace pimbb_check::crossbar
