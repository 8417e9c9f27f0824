// Keys with dots as paths.
#include "files/changes.hpp"

#include <sstream>

#include "files/value.hpp"
#include "pimbb/error.hpp"

namespace pimbb::files {
namespace {

void set(Document& document, const std::string& change, std::string_view example,
         std::string_view wrapper, std::string_view list) {
  const std::string label = "--set " + change;
  const auto sign = change.find('=');
  if (sign == std::string::npos || sign == 0 || sign + 1 == change.size()) {
    throw InputError(label + ": found no KEY=VALUE; allowed is, for example, " +
                     std::string(example));
  }
  std::vector<std::string> path;
  if (Value(document, "").has(wrapper)) path.emplace_back(wrapper);
  std::istringstream keys(change.substr(0, sign));
  for (std::string key; std::getline(keys, key, '.');) {
    const bool is_first = path.empty() || (path.size() == 1 && path.front() == wrapper);
    path.push_back(is_first && key == "levels" ? std::string(list) : key);
  }
  document.set(path, std::string_view(change).substr(sign + 1), label);
}

}  // namespace

void change(Document& document, const std::vector<std::string>& changes, std::string_view example,
            std::string_view wrapper, std::string_view list) {
  for (const std::string& each : changes) set(document, each, example, wrapper, list);
}

std::string name_of_changes(const std::vector<std::string>& changes) {
  std::string text;
  for (const std::string& each : changes) {
    if (each.starts_with("name=")) return "";
    text += (text.empty() ? " with " : ", ") + each;
  }
  return text;
}

}  // namespace pimbb::files
