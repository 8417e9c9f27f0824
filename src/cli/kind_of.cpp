// Reading nothing but the kind.
#include "cli/kind_of.hpp"

#include <algorithm>
#include <vector>

#include "cim/io/architecture_presets.hpp"
#include "crossbar/io/architecture_presets.hpp"
#include "dram_pim/io/architecture_presets.hpp"
#include "dram_pim/io/device_presets.hpp"
#include "files/kind.hpp"
#include "pimbb/error.hpp"
#include "pimbb/explore.hpp"
#include "terminal/bench/corpus.hpp"
#include "terminal/explore/explore.hpp"

namespace pimbb::cli {
namespace {

std::vector<files::Preset> presets_of_all_kinds() {
  std::vector<files::Preset> all;
  for (const files::PresetTable* table :
       {&dram_pim::io::architecture_table(), &cim::io::architecture_table(),
        &crossbar::io::architecture_table()}) {
    all.insert(all.end(), table->presets.begin(), table->presets.end());
  }
  std::ranges::sort(all, {}, &files::Preset::name);
  return all;
}

/// The kind of the first architecture in a corpus file; a corpus has one kind.
Kind kind_of_corpus(const std::string& path) {
  const terminal::FirstArchitecture first = terminal::first_architecture(path);
  if (first.name.empty()) return Kind::dram_pim;
  if (dram_pim::io::device_table().find(first.name) != nullptr) return Kind::dram_pim;
  try {
    return kind_of_architecture(first.name);
  } catch (const InputError& error) {
    throw InputError(first.place + ": " + error.what());
  }
}

/// The kind of the architecture that a space varies.
Kind kind_of_space(const std::string& path) {
  const Space space = read_space(path);
  try {
    return kind_of_architecture(space.arch);
  } catch (const InputError& error) {
    throw InputError(space.arch_place + ": " + error.what());
  }
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
  // What is empty or no file is refused by the command, which knows what it allows.
  const auto corpus = given("--corpus");
  if (corpus == terminal::kHardCorpus) return Kind::dram_pim;  // with machines of its own
  const auto architecture = given("--arch");
  if (architecture && !architecture->empty()) return kind_of_architecture(*architecture);
  const auto space = given(terminal::kSpaceArgument);
  if (space && !space->empty()) return kind_of_space(*space);
  if (given("--study")) return Kind::cim;
  return corpus && files::path_exists(*corpus) ? kind_of_corpus(*corpus) : Kind::dram_pim;
}

}  // namespace pimbb::cli
