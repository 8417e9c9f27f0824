// The table of targets, and what ends a run.
#include "fuzz/targets.hpp"

#include <cstdio>
#include <cstdlib>

namespace fuzz {

const Target* find_target(std::string_view name) {
  static const std::vector<Target> all = [] {
    std::vector<Target> both = reader_targets();
    for (const Target& target : solver_targets()) both.push_back(target);
    return both;
  }();
  for (const Target& target : all) {
    if (target.name == name) return &target;
  }
  return nullptr;
}

void require(bool holds, std::string_view message) {
  if (holds) return;
  std::fprintf(stderr, "fuzz: %.*s\n", static_cast<int>(message.size()), message.data());
  std::abort();
}

}  // namespace fuzz
