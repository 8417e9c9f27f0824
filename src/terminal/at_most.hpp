// --at-most: upper limits on goals, of any kind of accelerator.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "terminal/option_row.hpp"
#include "terminal/option_values.hpp"

namespace pimbb::terminal {

/// Adds to `caps`, whose members are `goal`, the place of a name in `goals`, and `most`.
template <class GoalCap, class Names>
OptionRow at_most_row(std::vector<GoalCap>& caps, const Names& goals) {
  return {
      "--at-most",
      "GOAL=X",
      groups::kGoal,
      "",
      "Upper limit on a goal, such as latency=2e6: the optimum is that of the mappings within it; "
      "once for each goal, minimised or not",
      [&](auto option, auto& text) {
        const auto sign = text.find('=');
        if (sign == std::string::npos) refuse(option, text, "GOAL=X, such as latency=2e6");
        const auto goal =
            static_cast<decltype(GoalCap::goal)>(place_among(option, text.substr(0, sign), goals));
        if (std::ranges::count(caps, goal, &GoalCap::goal) > 0) {
          refuse(option, text, "one limit for each goal");
        }
        caps.push_back({goal, weight(option, text.substr(sign + 1))});
      },
      [&goals] {
        Choices choices;
        for (const auto goal : goals) choices.words.push_back(std::string(goal) + '=');
        return choices;
      },
      /*alone=*/false,
      /*repeats=*/true};
}

}  // namespace pimbb::terminal
