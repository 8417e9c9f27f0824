// What may stand where an option's value goes: words to choose from, files by their extensions.
//
// The words come from the lists that the options are checked against and from the presets, so that
// completions and reference pages cannot name anything that is refused.
#pragma once

#include "dram_pim/cli/words.hpp"

#include <string>
#include <vector>

namespace pimbb::dram_pim::cli {

struct Choices {
  std::vector<std::string> words = {};
  bool list = false;                    ///< several words, separated by commas, are a value as well
  std::vector<std::string> files = {};  ///< extensions such as "yaml"; "*" for any file

  [[nodiscard]] bool empty() const { return words.empty() && files.empty(); }
  friend bool operator==(const Choices&, const Choices&) = default;
};

/// One function for each kind of value; the option table (settings.cpp) refers to them.
namespace values {

Choices any_file();
Choices mappings();
Choices layouts();
Choices architectures();
Choices networks();
Choices layers();  ///< also NETWORK:LAYER of every preset
Choices presets();
Choices corpora();
Choices linear_programs();
Choices goals();
Choices row_models();
Choices linear_row_models();
Choices methods();
Choices bounds();
Choices rules();
Choices tensors();
Choices program_formats();
Choices trace_formats();
Choices page_formats();
Choices shells();

}  // namespace values

}  // namespace pimbb::dram_pim::cli
