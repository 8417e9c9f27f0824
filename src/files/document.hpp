// A YAML (or JSON) text as a tree with the line number of every node.
//
// yaml-cpp parses the text. Its events are used instead of its Node class, because events keep
// duplicate keys, distinguish "8" from 8, and allow a limit on the depth of nesting. Nodes are
// stored in one arena, so building and destroying the tree do not recurse, whatever the nesting or
// aliases.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pimbb::files {

struct Place {  ///< 1-based
  int line = 1;
  int column = 1;
  const std::string* label = nullptr;  ///< what is named instead, for values that were set
};

struct Node {
  enum class Kind : std::uint8_t { null, scalar, list, map };
  Kind kind = Kind::null;
  bool quoted = false;  ///< scalar: in quotes, so a string even if it looks otherwise
  std::string text;     ///< scalar
  Place place;
  std::vector<const Node*> items;  ///< list: its items; map: key, value, key, value, ...
};

class Document {
 public:
  /// Parses `text`; `label` names it in messages. Throws InputError unless it is UTF-8 text with
  /// exactly one YAML document, nested no deeper than any of our formats could be.
  Document(std::string_view text, std::string label);
  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;

  [[nodiscard]] const Node& root() const { return *root_; }
  [[nodiscard]] const std::string& label() const { return label_; }
  /// Replaces or adds the value at a path of keys; an item of a list is its number or its `name`.
  /// `value` is YAML. Messages about it begin with `label`. Throws InputError if the path leads
  /// through a plain value or to no item. Not to be called once values have been read.
  void set(std::span<const std::string> path, std::string_view value, std::string label);
  /// The value at such a path; null if there is none.
  [[nodiscard]] const Node* find(std::span<const std::string> path) const;
  /// Throws InputError "label:line:column: message".
  [[noreturn]] void fail(Place place, std::string_view message) const;

 private:
  class Builder;
  void check_text(std::string_view text) const;
  const Node* changed(const Node* node, std::span<const std::string> path, Place place,
                      const Node* value);
  [[nodiscard]] std::size_t item_of(const Node& list, const std::string& key, Place place) const;
  [[nodiscard]] static std::optional<std::size_t> find_item(const Node& list,
                                                            const std::string& key);

  std::string label_;
  std::deque<Node> nodes_;
  const Node* root_ = nullptr;
  std::deque<std::string> labels_;  // of the values that were set
  std::vector<std::unique_ptr<Document>> parts_;
};

}  // namespace pimbb::files
