// Reading nothing but the kind.
#include "cli/kind_of.hpp"

#include <algorithm>
#include <vector>

#include "cim/io/architecture_presets.hpp"
#include "dram_pim/io/architecture_presets.hpp"
#include "files/kind.hpp"

namespace pimbb::cli {
namespace {

std::vector<files::Preset> presets_of_all_kinds() {
  std::vector<files::Preset> all;
  for (const files::PresetTable* table :
       {&dram_pim::io::architecture_table(), &cim::io::architecture_table()}) {
    all.insert(all.end(), table->presets.begin(), table->presets.end());
  }
  std::ranges::sort(all, {}, &files::Preset::name);
  return all;
}

}  // namespace

const files::PresetTable& all_architectures() {
  static const std::vector<files::Preset> presets = presets_of_all_kinds();
  static const files::PresetTable table{"architecture", presets};
  return table;
}

Kind kind_of_architecture(const std::string& source) {
  const files::Source file =
      files::path_exists(source) ? files::peek_file(source) : all_architectures().load(source);
  const files::Document document(file.text, file.label);
  return files::read_kind(files::Value(document, "architecture").unwrap("architecture"));
}

Kind kind_of_options(const terminal::GivenValue& given) {
  const auto architecture = given("--arch");
  // An empty name is refused by the command, which knows what it allows.
  return architecture && !architecture->empty() ? kind_of_architecture(*architecture)
                                                : Kind::dram_pim;
}

}  // namespace pimbb::cli
