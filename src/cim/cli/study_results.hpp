// The results of a study, network by network, as tables and documents.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cim/cli/bench_settings.hpp"
#include "cim/study/study.hpp"
#include "terminal/section.hpp"

namespace pimbb::cim::cli {

/// What was measured of one network; after an interruption, less.
struct NetworkStudy {
  Network network;  ///< distinct layers
  std::vector<study::Comparison> comparisons;
  std::vector<Solution> table3;              ///< optima of `table3`
  std::vector<std::vector<Metrics>> random;  ///< by layer
  std::vector<study::Contended> contended;   ///< by layer
  std::vector<study::SweepPoint> sweep;
};

struct Study {
  std::string architecture_name;  ///< as given
  Architecture architecture;
  Goal sweep_goal = Goal::edp;
  std::vector<NetworkStudy> networks;
  std::size_t searches = 0;
  std::size_t at_limit = 0;  ///< searches that a limit ended
};

std::vector<Section> study_sections(const Study& study);

/// The pimbb-cim-study/1 document: the tables, and all mappings but the random ones.
std::string study_json(const CorpusBench& settings, const Study& study, bool complete);
/// A row for each mapping.
std::string study_csv(const Study& study);

}  // namespace pimbb::cim::cli
