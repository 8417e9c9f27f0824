// By the tables of figures, as the reader.
#include "crossbar/io/architecture_json.hpp"

#include "crossbar/chip/fields.hpp"
#include "crossbar/io/formats.hpp"

namespace pimbb::crossbar::io {
namespace {

files::Json& place(files::Json& outer, std::string_view group, std::string_view key) {
  files::Json& map = group.empty() ? outer : outer[std::string(group)];
  return map[std::string(key)];
}

}  // namespace

files::Json architecture_json(const Architecture& architecture) {
  Architecture a = architecture;  // the tables give references
  files::Json json = files::Json::object();
  json["name"] = a.name;
  for (const chip::IntegerField& field : chip::kIntegerFields) {
    place(json, field.group, field.key) = field.member(a);
  }
  json["core"]["enforce_local_memory"] = a.core.enforce_local_memory;
  for (const chip::RationalField& field : chip::kRationalFields) {
    place(json, field.group, field.key) = files::exact_number(field.member(a));
  }
  files::Json file = files::Json::object();
  file[std::string(kArchitectureKey)] = std::move(json);
  return file;
}

}  // namespace pimbb::crossbar::io
