// Lines of the golden files of devices, as problems.
#pragma once

#include <filesystem>

#include "pimbb/dram_pim/device_cost.hpp"
#include "support/golden_files.hpp"

namespace golden {

struct DeviceProblem {
  pimbb::dram_pim::Device device;
  pimbb::Workload layer;
  pimbb::dram_pim::Moves moves = pimbb::dram_pim::kDefaultMoves;
  pimbb::dram_pim::Objective objective;
  pimbb::dram_pim::RowModel row_model = pimbb::dram_pim::RowModel::trace;
};

/// The device of a line: inline, a file of the folder `devices`, or, where a line has an
/// `architecture` only, that unit alone.
pimbb::dram_pim::Device device_of(const Json& line, const std::filesystem::path& folder);

/// One layer of a line with its device and question.
DeviceProblem problem_of(const Json& line, const Json& layer, pimbb::dram_pim::Device device);

/// The layers of a line: one, or those of its network.
std::vector<Json> layers_of(const Json& line);

std::string padding_text(const Json& pad);

pimbb::dram_pim::Split split_of(const Json& witness, std::size_t levels);

/// The witnesses of a line, one a layer; none if the line is infeasible.
std::vector<Json> witnesses_of(const Json& line);

/// A number of a golden file, or the text of a fraction.
pimbb::Rational number_of(const Json& value);

/// The optimum of a line; none if it is infeasible.
std::vector<Json> optimum_of(const Json& line);

/// Equal, or where the files have doubles that are not exact, equal to 1e-9.
bool same(const pimbb::Rational& value, const Json& expected);

}  // namespace golden
