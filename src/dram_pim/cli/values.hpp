// The possible values of DRAM-PIM's options: presets, goals, models, methods.
#pragma once

#include "terminal/choices.hpp"

namespace pimbb::dram_pim::cli::values {

using terminal::Choices;

Choices mappings();
Choices layouts();
Choices goals();
Choices row_models();
Choices linear_row_models();
Choices methods();
Choices bounds();
Choices rules();
Choices tensors();
Choices trace_formats();
Choices device_streams();
Choices devices();

}  // namespace pimbb::dram_pim::cli::values
