// A value inside a result document, which knows its place for messages.
//
// Results are JSON that pimbb wrote. A file that lacks a key is of another version or was changed:
// the message names the file, the key and what was expected.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "files/json_text.hpp"

namespace pimbb::report {

using files::Json;

class Value {
 public:
  /// `json` and `file` outlive the value; `path` is that of the keys up to here, "" for the whole.
  Value(const Json& json, const std::string& file, std::string path = "")
      : json_(&json), file_(&file), path_(std::move(path)) {}

  /// The members of an object and the elements of a list; each throws InputError if there is none
  /// or if this is neither.
  [[nodiscard]] Value at(std::string_view key) const;
  [[nodiscard]] Value at(std::size_t i) const;
  [[nodiscard]] std::vector<std::pair<std::string, Value>> members() const;
  [[nodiscard]] std::vector<Value> elements() const;
  /// Whether there is a member of this name that is not null.
  [[nodiscard]] bool has(std::string_view key) const;
  /// The member's text, or `otherwise` if there is none.
  [[nodiscard]] std::string text_or(std::string_view key, const std::string& otherwise) const;

  [[nodiscard]] std::string text() const;
  [[nodiscard]] double number() const;
  /// A number, or a fraction as a text, "7/3".
  [[nodiscard]] double number_or_fraction() const;
  [[nodiscard]] std::int64_t integer(std::int64_t least, std::int64_t most) const;
  [[nodiscard]] bool is_object() const { return json_->is_object(); }
  [[nodiscard]] bool is_number() const { return json_->is_number(); }
  [[nodiscard]] const Json& json() const { return *json_; }
  [[nodiscard]] const std::string& file() const { return *file_; }
  /// Throws InputError that says what was found here, and what was expected.
  [[noreturn]] void refuse(std::string_view expected) const;

 private:
  [[nodiscard]] std::string place(std::string_view key) const;

  const Json* json_;
  const std::string* file_;
  std::string path_;
};

}  // namespace pimbb::report
