// How far the published row models are from the rows that a DRAM really opens.
//
// For random feasible mappings of real layers, every model's count of every tensor is put beside
// the exact one. Then what matters to a user: the mapping that a cheaper model calls optimal,
// priced by the exact model, against the proven optimum of the exact model.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "dram_pim/study/statistics.hpp"
#include "pimbb/dram_pim/network.hpp"
#include "pimbb/dram_pim/solver.hpp"

namespace pimbb::dram_pim::study {

/// The models that are judged; the third is the judge.
inline constexpr std::array<RowModel, 2> kJudged{RowModel::analytic, RowModel::hybrid};
inline constexpr std::size_t kLayouts = kLayoutNames.size();

/// Counts of one tensor under one layout, over all samples of all layers.
struct Counts {
  std::array<std::vector<double>, kJudged.size()> model;
  std::vector<double> truth;
};

/// By tensor and layout.
using SampleCounts = PerTensor<std::array<Counts, kLayouts>>;

/// Row sizes from 256 B to 4 KiB, for the mappings sampled. Rows of twice the size are unions of
/// two, so a sequential layout can open only fewer; a row-aligned one has its groups either way.
struct RowSizes {
  static constexpr std::array<std::int64_t, 5> kBytes{256, 512, 1024, 2048, 4096};
  std::array<std::vector<double>, kBytes.size()> rows;  ///< by size and sample, all tensors
  std::size_t increases = 0;  ///< how often a larger row opened more; nothing if theory holds
};

/// The input's rows by the shape of its block, relative to the best layout of the sample.
struct Shapes {
  static constexpr std::array<const char*, 4> kNames{"sequential", "smallest block",
                                                     "full-width strip", "best block"};
  std::array<std::vector<double>, kNames.size()> ratio;
};

struct Samples {
  SampleCounts counts;
  RowSizes sizes;
  Shapes shapes;
};

/// Draws `samples` mappings of each layer (those without any are passed over). `proceed` is asked
/// after each layer; false ends the study.
Samples sample(const Architecture& architecture, const Network& network, std::uint64_t samples,
               std::uint64_t seed, const std::function<bool()>& proceed);

/// What it costs to believe a model: by judged model, the trace cost of its optimum over the
/// optimal trace cost. Layers that a limit left unproven are passed over.
struct Regret {
  Goal goal;
  std::array<std::vector<double>, kJudged.size()> ratio;
};

Regret regret(const Architecture& architecture, const Network& network, Goal goal,
              const Question& question, const RunLimits& limits,
              const std::function<bool()>& proceed);

}  // namespace pimbb::dram_pim::study
