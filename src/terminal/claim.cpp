// The words for each status.
#include "terminal/claim.hpp"

#include <fmt/format.h>

#include <array>

#include "terminal/format.hpp"

namespace pimbb::terminal {
namespace {

std::string claims(const std::vector<GoalClaim>& goals) {
  std::string text;
  for (const GoalClaim& goal : goals) {
    text += (text.empty() ? "" : ", then ") + goal.value;
    text += goal.closed ? " (gap 0)"
                        : fmt::format(", bound {} ({})", number(goal.bound), gap(goal.gap));
  }
  return text;
}

std::string because(const std::string& reason) { return reason.empty() ? "" : ": " + reason; }

}  // namespace

std::string verdict(const Style& style, const Claim& claim) {
  switch (claim.status) {
    case Status::optimal:
      return style.good("optimal" + claim.within + ", proven") + ": " + claims(claim.goals);
    case Status::feasible: return style.warning(claim.stopped) + ": " + claims(claim.goals);
    case Status::infeasible: return style.bad("infeasible, proven") + because(claim.reason);
    default:
      return style.warning(claim.stopped) + ": no mapping found so far" + because(claim.reason);
  }
}

std::string proof_cell(const Style& style, const Claim& claim) {
  switch (claim.status) {
    case Status::optimal: return style.good("proven");
    case Status::infeasible: return style.bad("infeasible");
    case Status::unknown: return style.warning("no mapping");
    default: break;
  }
  // The first goal that is not closed is the one that the limit cut.
  for (const GoalClaim& goal : claim.goals) {
    if (!goal.closed) return style.warning(gap(goal.gap));
  }
  return style.warning("not proven");
}

std::string network_verdict(const Style& style, const std::vector<LayerClaim>& layers) {
  std::array<std::int64_t, kStatusNames.size()> counts{};
  for (const LayerClaim& layer : layers) ++counts[static_cast<std::size_t>(layer.status)];
  const auto count = [&](Status status) { return counts[static_cast<std::size_t>(status)]; };
  const auto all = static_cast<std::int64_t>(layers.size());
  if (count(Status::optimal) == all) {
    return style.good("optimal, proven") +
           fmt::format(": {} of {}", number(all), plural(all, "distinct layer"));
  }
  std::string text = fmt::format("{} of {} proven optimal", number(count(Status::optimal)),
                                 plural(all, "distinct layer"));
  const auto add = [&](Status status, std::string_view what) {
    if (count(status) > 0) text += fmt::format(", {} {}", number(count(status)), what);
  };
  add(Status::feasible, "with a mapping and a gap");
  add(Status::unknown, "without a mapping so far");
  add(Status::infeasible, "infeasible");
  const std::string word =
      count(Status::infeasible) > 0 ? style.bad("infeasible") : style.warning("not all proven");
  const std::int64_t left_out = count(Status::unknown) + count(Status::infeasible);
  if (left_out > 0) text += fmt::format(" (the totals leave out {})", plural(left_out, "layer"));
  text = word + ": " + text;
  for (const LayerClaim& layer : layers) {
    if (layer.status == Status::optimal || layer.status == Status::feasible) continue;
    if (layer.reason.empty()) continue;
    text += fmt::format("\n  {}: {}", printable(layer.layer), layer.reason);
  }
  return text;
}

std::string plural(std::int64_t count, std::string_view thing) {
  return fmt::format("{} {}{}", number(count), thing, count == 1 ? "" : "s");
}

std::string effort_text(const std::string& work, double seconds, int threads, bool timeless) {
  if (timeless) return work;
  return fmt::format("{}, {}, {}", work, duration(seconds), plural(threads, "thread"));
}

}  // namespace pimbb::terminal
