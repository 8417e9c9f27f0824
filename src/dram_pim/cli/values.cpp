// The lists behind the options, as words.
#include "dram_pim/cli/values.hpp"

#include "dram_pim/cli/options.hpp"
#include "dram_pim/cli/trace_settings.hpp"
#include "dram_pim/io/access_trace.hpp"
#include "pimbb/dram_pim/io.hpp"

namespace pimbb::dram_pim::cli::values {

Choices mappings() { return {.files = {"json", "yaml", "yml"}}; }
Choices layouts() { return {.words = {"sequential", "best"}}; }
Choices goals() { return terminal::list_of(kGoalNames); }
Choices row_models() { return terminal::one_of(kRowModelNames); }
Choices linear_row_models() { return terminal::one_of(kLinearRowModels); }
Choices methods() { return terminal::one_of(kMethodNames); }
Choices bounds() { return terminal::one_of(kBoundSets); }
Choices rules() { return terminal::list_of(kRuleNames); }
Choices tensors() { return terminal::list_of(kTensorNames); }
Choices devices() { return {.words = device_presets(), .files = {"yaml", "yml", "json"}}; }
Choices device_streams() { return terminal::one_of(kDeviceStreamNames); }
Choices trace_formats() { return terminal::one_of(io::kTraceFormatNames); }

}  // namespace pimbb::dram_pim::cli::values
