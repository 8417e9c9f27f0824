// Messages about what a file says in vain: no errors, each with its place.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "files/value.hpp"

namespace pimbb::files {

class WarningList {
 public:
  /// `text` says what is the matter with the value. Equal texts about one key are one warning.
  void add(std::string_view key, const Value& at, const std::string& text);
  /// The same for the entry `key` of a map, if it is there.
  void add_entry(const Value& map, std::string_view key, const std::string& text);

  [[nodiscard]] std::vector<std::string> texts() const;

 private:
  struct Warning {
    std::string name;
    std::string text;
    std::vector<int> also;  // other lines
  };
  std::vector<Warning> warnings_;
};

}  // namespace pimbb::files
