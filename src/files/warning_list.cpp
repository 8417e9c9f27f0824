// Equal warnings, and the lines where they stand again.
#include "files/warning_list.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pimbb::files {

void WarningList::add(std::string_view key, const Value& at, const std::string& text) {
  const std::string name = std::string(key) + ": " + text;
  const auto known = std::ranges::find(warnings_, name, &Warning::name);
  if (known == warnings_.end()) {
    warnings_.push_back({name, at.note(text), {}});
  } else if (std::ranges::find(known->also, at.line()) == known->also.end()) {
    known->also.push_back(at.line());
  }
}

void WarningList::add_entry(const Value& map, std::string_view key, const std::string& text) {
  if (const auto value = map.get(key)) add(key, *value, text);
}

std::vector<std::string> WarningList::texts() const {
  std::vector<std::string> texts;
  for (const Warning& warning : warnings_) {
    texts.push_back(warning.text);
    if (warning.also.empty()) continue;
    texts.back() += fmt::format(" (also in line {})", fmt::join(warning.also, ", "));
  }
  return texts;
}

}  // namespace pimbb::files
