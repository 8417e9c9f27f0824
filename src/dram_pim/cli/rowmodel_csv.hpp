// The study of row models as a table: a row for each layer and model.
#pragma once

#include "dram_pim/cli/words.hpp"

#include <string>
#include <vector>

#include "dram_pim/study/row_models.hpp"

namespace pimbb::dram_pim::cli {

std::string rowmodel_csv(const Architecture& architecture, const Network& network,
                         const study::Samples& samples, const std::vector<study::Regret>& regrets);

}  // namespace pimbb::dram_pim::cli
