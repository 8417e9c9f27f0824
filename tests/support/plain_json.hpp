// A plain reader and writer of architectures, layers and mappings as JSON, for tests only.
//
// The project's own reader is under test, so golden files are read without it: no defaults beyond
// the format's, no friendly errors (a malformed file is an exception). What is written can be fed
// to the executable to reproduce a failure.
#pragma once

#include <nlohmann/json.hpp>

#include "pimbb/dram_pim/architecture.hpp"
#include "pimbb/dram_pim/mapping.hpp"
#include "pimbb/dram_pim/objective.hpp"
#include "pimbb/workload.hpp"

namespace testkit {

using Json = nlohmann::ordered_json;

/// A decimal number as it stood in the text: shortest digits, not the double's binary value.
pimbb::Rational number(const Json& value);

pimbb::dram_pim::Architecture read_architecture(const Json& json);
pimbb::Workload read_workload(const Json& json);
pimbb::dram_pim::Mapping read_mapping(const Json& json,
                                      const pimbb::dram_pim::Architecture& architecture);
pimbb::dram_pim::RowModel read_row_model(const std::string& name);
pimbb::dram_pim::Goal read_goal(const std::string& name);

Json write(const pimbb::dram_pim::Architecture& architecture);
Json write(const pimbb::Workload& workload);
Json write(const pimbb::dram_pim::Mapping& mapping,
           const pimbb::dram_pim::Architecture& architecture);

/// The lines of a golden file, or nothing (and a message) where the shared folder is absent.
std::vector<Json> golden_lines(const std::string& file);

}  // namespace testkit
