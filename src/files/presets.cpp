// Looking up presets; a file of the same name wins.
#include "files/presets.hpp"

#include <algorithm>

#include "files/nearest.hpp"
#include "pimbb/error.hpp"

namespace pimbb::files {

const Preset* PresetTable::find(std::string_view name) const {
  const auto found = std::ranges::find(presets, name, &Preset::name);
  return found == presets.end() ? nullptr : &*found;
}

std::vector<std::string> PresetTable::names() const {
  std::vector<std::string> all;
  for (const Preset& preset : presets) all.emplace_back(preset.name);
  return all;
}

bool PresetTable::is_source(const std::string& source) const {
  return path_exists(source) || find(source) != nullptr;
}

Source PresetTable::load(const std::string& source) const {
  if (path_exists(source)) return load_file(source);
  if (const Preset* preset = find(source)) {
    return {"preset " + source, std::string(preset->text)};
  }
  std::vector<std::string_view> known;
  for (const Preset& preset : presets) known.push_back(preset.name);
  throw InputError(source + ": found neither a file nor a preset of this name" +
                   did_you_mean(source, known) + ", allowed are " + std::string(what) +
                   " files and the presets " + join(known));
}

}  // namespace pimbb::files
