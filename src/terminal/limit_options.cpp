// Rows of the group "Effort".
#include "terminal/limit_options.hpp"

#include "terminal/option_values.hpp"

namespace pimbb::terminal {

OptionRow threads_row(RunLimits& limits) {
  return {"--threads",
          "N",
          groups::kEffort,
          "0",
          "Threads, 0 for all cores; the answer does not depend on it",
          [&](auto option, auto& text) { limits.threads = integer(option, text, 0, 1024); }};
}

OptionRow time_limit_row(RunLimits& limits) {
  return {"--time-limit",
          "TIME",
          groups::kEffort,
          "",
          "Stop after this time and report the best mapping found and its proven gap",
          [&](auto option, auto& text) { limits.time_limit = duration_seconds(option, text); }};
}

OptionRow node_limit_row(RunLimits& limits) {
  return {"--node-limit",
          "N",
          groups::kEffort,
          "",
          "Stop each layer after this number of search nodes; reproducible, unlike a time limit",
          [&](auto option, auto& text) {
            limits.node_limit = integer<std::uint64_t>(option, text, 1, std::uint64_t{1} << 62);
          }};
}

OptionRow memory_limit_row(RunLimits& limits) {
  return {"--memory-limit",
          "SIZE",
          groups::kEffort,
          "4GiB",
          "Memory for tables, open nodes and dominance labels: bytes, or with a unit, such as "
          "512M. When it is used up, the search continues depth first; the result remains exact",
          [&](auto option, auto& text) { limits.memory_limit = memory_size(option, text); }};
}

OptionRows limit_rows(RunLimits& limits) {
  return {threads_row(limits), time_limit_row(limits), node_limit_row(limits),
          memory_limit_row(limits)};
}

}  // namespace pimbb::terminal
