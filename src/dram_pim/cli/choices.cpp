// The lists behind the options, as words.
#include "dram_pim/cli/choices.hpp"

#include "dram_pim/cli/settings.hpp"
#include "pimbb/dram_pim/io.hpp"

namespace pimbb::dram_pim::cli::values {
namespace {

const std::vector<std::string> kDocuments{"yaml", "yml", "json"};
const std::vector<std::string> kNetworkFiles{"yaml", "yml", "json", "onnx"};

template <class Names>
Choices one_of(const Names& names) {
  return {.words = {names.begin(), names.end()}};
}

template <class Names>
Choices list_of(const Names& names) {
  return {.words = {names.begin(), names.end()}, .list = true};
}

}  // namespace

Choices any_file() { return {.files = {"*"}}; }
Choices mappings() { return {.files = {"json", "yaml", "yml"}}; }
Choices layouts() { return {.words = {"sequential", "best"}}; }
Choices architectures() { return {.words = architecture_presets(), .files = kDocuments}; }
Choices networks() { return {.words = network_presets(), .files = kNetworkFiles}; }

Choices layers() {
  Choices choices{.files = kNetworkFiles};
  for (const std::string& preset : network_presets()) {
    for (const NetworkLayer& layer : read_network(preset).layers) {
      choices.words.push_back(preset + ":" + layer.workload.name);
    }
  }
  return choices;
}

Choices presets() {
  Choices choices{.words = architecture_presets(), .files = {"onnx"}};
  for (const std::string& network : network_presets()) choices.words.push_back(network);
  return choices;
}

Choices corpora() {
  Choices choices = one_of(kCorpusNames);
  choices.files = {"*"};
  return choices;
}

Choices linear_programs() {
  return {.files = {kProgramFormatNames.begin(), kProgramFormatNames.end()}};
}
Choices goals() { return list_of(kGoalNames); }
Choices row_models() { return one_of(kRowModelNames); }
Choices linear_row_models() { return one_of(kLinearRowModels); }
Choices methods() { return one_of(kMethodNames); }
Choices bounds() { return one_of(kBoundSets); }
Choices rules() { return list_of(kRuleNames); }
Choices tensors() { return list_of(kTensorNames); }
Choices program_formats() { return one_of(kProgramFormatNames); }
Choices trace_formats() { return one_of(io::kTraceFormatNames); }
Choices page_formats() { return one_of(kPageFormatNames); }
Choices shells() { return one_of(kShellNames); }

}  // namespace pimbb::dram_pim::cli::values
