// Results as tables for spreadsheets and scripts: --csv. One row for each layer, node or case;
// every row says by itself what it is about.
#pragma once

#include "dram_pim/cli/words.hpp"

#include <span>
#include <string>

#include "dram_pim/cli/bench_corpus.hpp"
#include "dram_pim/cli/bench_result.hpp"
#include "files/csv.hpp"
#include "pimbb/dram_pim/layout_plan.hpp"
#include "pimbb/dram_pim/network.hpp"

namespace pimbb::dram_pim::cli {

/// The names of a layer's bounds, strides and MACs, and these figures.
std::vector<std::string> shape_names();
void add_shape(files::CsvRow& row, const Workload& workload);

std::string network_csv(const Architecture& architecture, const Network& network,
                        const Question& question, const RunLimits& limits,
                        const NetworkSolution& solution);
std::string plan_csv(const Architecture& architecture, const Network& network,
                     const Question& question, const LayoutPlan& plan);
std::string bench_csv(std::span<const BenchCase> cases, std::span<const BenchResult> results,
                      bool timeless);

}  // namespace pimbb::dram_pim::cli
