// The settings of pimbb bench: of a corpus, or of a study.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "cim/cli/words.hpp"
#include "terminal/bench/run.hpp"

namespace pimbb::cim::cli {

struct StudySettings {
  std::string kind;                ///< of --study; empty: no study
  std::vector<std::string> parts;  ///< of kStudyParts; empty: all
  std::uint64_t samples = 200;     ///< random mappings of a layer
  std::uint64_t seed = 1;
  std::string given;  ///< the last option that only a study has
};

struct CorpusBench : BenchSettings {
  StudySettings study;
};

inline constexpr std::array<std::string_view, 4> kStudyParts{"spaces", "accuracy", "contention",
                                                             "sweeps"};

/// pimbb bench --study cim; returns the exit code.
int run_study(const CorpusBench& settings);

/// --study, --parts, --samples, --seed.
OptionRows study_rows(StudySettings& settings);

}  // namespace pimbb::cim::cli
