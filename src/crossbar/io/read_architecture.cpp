// Architecture files, by the tables of figures.
#include <algorithm>
#include <map>

#include "crossbar/chip/fields.hpp"
#include "crossbar/io/architecture_presets.hpp"
#include "crossbar/io/formats.hpp"
#include "files/changes.hpp"
#include "files/value.hpp"
#include "pimbb/crossbar/io.hpp"
#include "pimbb/error.hpp"

namespace pimbb::crossbar {
namespace {

/// The maps of an accelerator, each with the keys that it may have.
class Maps {
 public:
  explicit Maps(const files::Value& root) {
    static constexpr std::array<std::string_view, 1> kOnly{io::kArchitectureKey};
    for (const chip::IntegerField& field : chip::kIntegerFields) add(field.group, field.key);
    for (const chip::RationalField& field : chip::kRationalFields) add(field.group, field.key);
    add("", "name");
    add("core", "enforce_local_memory");
    const files::Value value = root.object(kOnly)[io::kArchitectureKey];
    const files::Object outer = value.object(keys_.at(""));
    for (const auto& [group, keys] : keys_) {
      maps_.emplace(group, group.empty() ? outer : outer[group].object(keys));
    }
  }

  [[nodiscard]] const files::Object& at(std::string_view group) const { return maps_.at(group); }

 private:
  void add(std::string_view group, std::string_view key) {
    keys_[group].push_back(key);
    std::vector<std::string_view>& outer = keys_[""];
    if (!group.empty() && std::ranges::count(outer, group) == 0) outer.push_back(group);
  }

  std::map<std::string_view, std::vector<std::string_view>> keys_;  // by group
  std::map<std::string_view, files::Object> maps_;
};

Architecture architecture_of(const files::Value& root) {
  const Maps maps(root);
  Architecture a;
  if (const auto v = maps.at("").find("name")) a.name = v->text("names");
  for (const chip::IntegerField& field : chip::kIntegerFields) {
    const files::Object& map = maps.at(field.group);
    if (field.optional && !map.find(field.key)) continue;
    field.member(a) = map[field.key].integer(field.least, field.most);
  }
  for (const chip::RationalField& field : chip::kRationalFields) {
    const files::Object& map = maps.at(field.group);
    if (field.optional && !map.find(field.key)) continue;
    const files::Value value = map[field.key];
    field.member(a) = field.positive ? value.positive() : value.not_negative();
  }
  if (const auto v = maps.at("core").find("enforce_local_memory")) {
    a.core.enforce_local_memory = v->boolean();
  }
  return a;
}

}  // namespace

Architecture parse_architecture(std::string_view text, const std::string& label,
                                const std::vector<std::string>& changes) {
  files::Document document(text, label);
  files::change(document, changes, "mvm.time=4000 or core.crossbars=32", io::kArchitectureKey);
  const files::Value root(document, "architecture");
  Architecture architecture = architecture_of(root);
  architecture.name += files::name_of_changes(changes);
  try {
    validate(architecture);
  } catch (const InputError& error) {
    throw InputError(root.prefix() + error.what());
  }
  return architecture;
}

Architecture read_architecture(const std::string& source, const std::vector<std::string>& changes) {
  const files::Source file = io::architecture_table().load(source);
  return parse_architecture(file.text, file.label, changes);
}

std::vector<std::string> architecture_presets() { return io::architecture_table().names(); }

}  // namespace pimbb::crossbar
