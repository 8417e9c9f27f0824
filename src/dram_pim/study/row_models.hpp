// The error of the published row models, compared to the rows that a DRAM opens.
//
// For random feasible mappings of real layers, the count of every model for every tensor is
// compared with the exact count. Then the effect on results: the exact cost of the mapping that is
// optimal under a model, compared with the proven optimum of the exact model.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "pimbb/dram_pim/network.hpp"
#include "pimbb/dram_pim/solver.hpp"

namespace pimbb::dram_pim::study {

/// The models that are compared with `trace`.
inline constexpr std::array<RowModel, 2> kJudged{RowModel::analytic, RowModel::hybrid};
inline constexpr std::size_t kLayouts = kLayoutNames.size();

/// Counts of one tensor under one layout, over all samples of all layers.
struct Counts {
  std::array<std::vector<double>, kJudged.size()> model;
  std::vector<double> truth;
};

/// By tensor and layout.
using SampleCounts = PerTensor<std::array<Counts, kLayouts>>;

/// Row activations of the sampled mappings for row sizes from 256 B to 4 KiB. A row of twice the
/// size is the union of two rows, so a sequential layout can only open fewer; row-aligned layouts
/// do not depend on the row size in this way.
struct RowSizes {
  static constexpr std::array<std::int64_t, 5> kBytes{256, 512, 1024, 2048, 4096};
  std::array<std::vector<double>, kBytes.size()> rows;  ///< by size and sample, all tensors
  std::size_t increases = 0;  ///< cases in which larger rows opened more; 0 is expected
};

/// The input's rows by the shape of its block, relative to the best layout of the sample.
struct Shapes {
  static constexpr std::array<const char*, 4> kNames{"sequential", "smallest block",
                                                     "full-width strip", "best block"};
  std::array<std::vector<double>, kNames.size()> ratio;
};

struct Samples {
  std::vector<SampleCounts> layers;  ///< in the order of the network, as far as the study went
  RowSizes sizes;
  Shapes shapes;

  [[nodiscard]] SampleCounts all() const;  ///< the counts of all layers, one after the other
};

/// Draws `samples` mappings of each layer; layers without any mapping are skipped. `proceed` is
/// called after each layer; if it returns false, the study ends.
Samples sample(const Architecture& architecture, const Network& network, std::uint64_t samples,
               std::uint64_t seed, const std::function<bool()>& proceed);

/// The regret of a model: the exact cost of its optimum divided by the exact optimum, for each of
/// kJudged. Layers that are unproven because of a limit are skipped.
struct Regret {
  Goal goal{};
  std::vector<std::size_t> layers;  ///< indices into the network: those that are not skipped
  std::array<std::vector<double>, kJudged.size()> ratio;
};

Regret regret(const Architecture& architecture, const Network& network, Goal goal,
              const Question& question, const RunLimits& limits,
              const std::function<bool()>& proceed);

}  // namespace pimbb::dram_pim::study
