// The report on a front, for any kind of accelerator: a table of its points, and the claim.
#pragma once

#include <string>
#include <vector>

#include "pimbb/front.hpp"
#include "terminal/terminal.hpp"

namespace pimbb::terminal {

struct FrontAxis {
  std::string name;
  std::string suffix;  ///< of values: " nJ"
};

/// What reports need to know of a front.
struct FrontSummary {
  std::vector<FrontAxis> axes;
  FrontStatus status = FrontStatus::unknown;
  std::vector<std::vector<Rational>> points;  ///< costs by axis
  std::vector<std::string> notes;             ///< a word or two on each point; may be empty
  std::size_t open = 0;                       ///< boxes that are not settled
  Rational covered;
  std::optional<Rational> within;
  std::uint64_t found = 0;
  std::string reason;   ///< infeasible: why
  std::string stopped;  ///< what a partial front is called: "limit hit"
};

/// Of a front of any wing; without notes.
template <class AnyFront>
FrontSummary front_summary(std::vector<FrontAxis> axes, const AnyFront& front, bool interrupted) {
  FrontSummary summary;
  summary.axes = std::move(axes);
  summary.status = front.status;
  for (const auto& point : front.points) summary.points.push_back(point.costs);
  summary.open = front.open.size();
  summary.covered = front.covered;
  summary.within = front.within;
  summary.found = front.found;
  summary.reason = front.reason;
  summary.stopped = interrupted ? "interrupted" : "limit hit";
  return summary;
}

/// A row for each point, or for some spread over very many unless tables may be wide: costs, the
/// step from the point before on each axis in per cent, and a bar of each axis, from its least
/// value on the front (empty) to its greatest (full).
std::string front_table(const Style& style, const FrontSummary& front);

/// "complete, proven: 5 points from latency 1,806,336 to energy ...".
std::string front_verdict(const Style& style, const FrontSummary& front);

/// The points as a table for spreadsheets: point number, costs, notes.
std::string front_csv(const FrontSummary& front, const std::string& about);

}  // namespace pimbb::terminal
