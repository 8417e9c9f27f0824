// Axes, tolerance and number of points.
#include "terminal/front_options.hpp"

#include "pimbb/error.hpp"
#include "terminal/layer_options.hpp"
#include "terminal/option_values.hpp"

namespace pimbb::terminal {

OptionRows front_rows(std::string& axes, FrontOptions& options, const std::string& allowed,
                      const char* usual) {
  return {{"--axes", "AXES", groups::kGoal, usual,
           "Axes of the front, the first one orders the points: " + allowed,
           [&](auto option, auto& text) { axes = not_empty(option, text); }},
          {"--within", "E", groups::kGoal, "",
           "Fewer points: every mapping is dominated by a listed point whose costs are divided by "
           "1 + E; such as 1% or 0.01",
           [&](auto option, auto& text) { options.within = parse_share(option, text); }},
          {"--points", "N", groups::kGoal, "",
           "At most N points, spread over the front; the report says how close they come to the "
           "others",
           [&](auto option, auto& text) {
             options.points = integer<std::uint64_t>(option, text, 1, 1'000'000'000);
           }}};
}

OptionRow front_network_row(std::string& network) {
  return {"--network",
          "NET",
          groups::kProblem,
          "",
          "The totals of a network instead of a layer: each layer takes any of its mappings, equal "
          "layers the same one",
          [&](auto option, auto& text) { network = not_empty(option, text); },
          network_choices};
}

void check_front_proof(const OutputSettings& output, const std::string& network,
                       const FrontOptions& options) {
  if (output.proof.empty()) return;
  const char* beside = !network.empty() ? "--network"
                       : options.within ? "--within"
                       : options.points ? "--points"
                                        : nullptr;
  if (beside != nullptr) {
    throw InputError(std::string("--proof: found ") + beside +
                     " beside it, allowed are all points of " +
                     (network.empty() ? "a front" : "a layer's front"));
  }
}

}  // namespace pimbb::terminal
