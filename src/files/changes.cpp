// Keys with dots as paths.
#include "files/changes.hpp"

#include <sstream>
#include <stdexcept>

#include "files/value.hpp"
#include "pimbb/error.hpp"

namespace pimbb::files {
namespace {

/// The keys that a path with dots stands for.
std::vector<std::string> path_of(const Document& document, const std::string& text,
                                 std::string_view wrapper, std::string_view list) {
  std::vector<std::string> path;
  if (Value(document, "").has(wrapper)) path.emplace_back(wrapper);
  std::istringstream keys(text);
  for (std::string key; std::getline(keys, key, '.');) {
    const bool is_first = path.empty() || (path.size() == 1 && path.front() == wrapper);
    path.push_back(is_first && key == "levels" ? std::string(list) : key);
  }
  return path;
}

void set(Document& document, const std::string& change, std::string_view example,
         std::string_view wrapper, std::string_view list) {
  const std::string label = "--set " + change;
  const auto sign = change.find('=');
  if (sign == std::string::npos || sign == 0 || sign + 1 == change.size()) {
    throw InputError(label + ": found no KEY=VALUE; allowed is, for example, " +
                     std::string(example));
  }
  const std::vector<std::string> path = path_of(document, change.substr(0, sign), wrapper, list);
  document.set(path, std::string_view(change).substr(sign + 1), label);
}

}  // namespace

void change(Document& document, const std::vector<std::string>& changes, std::string_view example,
            std::string_view wrapper, std::string_view list) {
  for (const std::string& each : changes) set(document, each, example, wrapper, list);
}

std::optional<Rational> number_at(const Document& document, const std::string& path,
                                  std::string_view wrapper, std::string_view list) {
  const Node* node = document.find(path_of(document, path, wrapper, list));
  if (node == nullptr || node->kind != Node::Kind::scalar) return std::nullopt;
  try {
    return Rational::parse(node->text);
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
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
