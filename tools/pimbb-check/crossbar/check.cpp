// The order of the document: problem, mapping, claim, tree.
#include "check.hpp"

#include "../document.hpp"
#include "boxes.hpp"
#include "latency.hpp"

namespace pimbb_check::crossbar {
namespace {

/// "goal NAME VALUE", or "goal NAME VALUE BOUND" for a mapping that need not be optimal.
Rational claim(const Problem& p, const Rational& value, Lines& lines, Report& report) {
  lines.next();
  const std::vector<std::string> words = lines.words();
  require((words.size() == 3 || words.size() == 4) && words[0] == "goal", "a goal is wanted here");
  require(words[1] == p.goal_name(0), "another goal is wanted here");
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
    const Legal mapping = legal_mapping(p, lines.line().substr(8));
    const bool latency = p.goals[0] == kLl;
    const Rational value =
        latency ? Latency(p).value(mapping.replication) : Rational(cpp_int(mapping.ht));
    const Rational bound = claim(p, value, lines, report);
    if (latency) {
      check_latency_tree(p, bound, lines, work);
    } else {
      check_throughput_tree(p, bound, lines, work);
    }
  }
  require(lines.next() == "end", "the proof does not end here");
  report.details = work.described();
}

}  // namespace pimbb_check::crossbar
