// Typed access to a document: each reading function returns a value of the requested type or throws
// InputError "file:line:column: dotted.key: found X, allowed are Y".
//
// A Value may also represent a missing key. Reading it then fails, at the place of the map without
// the key. Readers therefore state only once what is allowed, for both cases:
//
//     pe.height = object["dim_h"].integer(1);                                   // required
//     if (auto v = object.find("num_macs")) pe.num_macs = v->integer(1);        // optional
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "files/document.hpp"
#include "files/nearest.hpp"
#include "pimbb/rational.hpp"

namespace pimbb::files {

class Object;

class Value {
 public:
  /// The document's root; `what` ("architecture") names it in messages.
  Value(const Document& document, std::string what)
      : document_(&document),
        node_(&document.root()),
        place_(node_->place),
        key_(std::move(what)),
        root_(true) {}

  [[nodiscard]] std::string text(std::string_view allowed) const;
  [[nodiscard]] bool boolean() const;
  [[nodiscard]] std::int64_t integer(
      std::int64_t min, std::int64_t max = std::numeric_limits<std::int64_t>::max()) const;
  [[nodiscard]] Rational positive() const;
  [[nodiscard]] Rational not_negative() const;
  /// Index of the scalar among `names`.
  [[nodiscard]] std::size_t choice(std::span<const std::string_view> names) const;
  /// The items of a list, exactly `size` if given; messages use `allowed` as its description.
  [[nodiscard]] std::vector<Value> list(std::string_view allowed,
                                        std::optional<std::size_t> size = std::nullopt) const;
  /// A list of distinct scalars: which of `names` are in it. Each of them is `what`, such as
  /// "dimension".
  template <std::size_t N>
  [[nodiscard]] std::array<bool, N> subset(const std::array<std::string_view, N>& names,
                                           std::string_view what) const {
    std::array<bool, N> chosen{};
    for (const Value& item : list("lists of " + std::string(what) + "s: " + join(names))) {
      bool& flag = chosen[item.choice(names)];
      if (flag) {
        item.fail("a " + std::string(what) + " a second time: " + item.found(),
                  "each " + std::string(what) + " once");
      }
      flag = true;
    }
    return chosen;
  }
  /// A map whose keys are distinct and among `keys`, which must outlive the object.
  [[nodiscard]] Object object(std::span<const std::string_view> keys) const;

  [[noreturn]] void fail(std::string_view found, std::string_view allowed) const;
  /// The content of this place for messages: "nothing", "a list", "12.5", "\"12\"".
  [[nodiscard]] std::string found() const;
  /// The entry `key` if this is a map that contains it; other keys are not checked.
  [[nodiscard]] std::optional<Value> get(std::string_view key) const;
  [[nodiscard]] bool has(std::string_view key) const { return get(key).has_value(); }
  /// The keys of a map that may have any, for object(); `allowed` describes the map.
  [[nodiscard]] std::vector<std::string_view> keys(std::string_view allowed) const;
  [[nodiscard]] bool is_list() const { return node_ != nullptr && node_->kind == Node::Kind::list; }
  [[nodiscard]] bool is_map() const { return node_ != nullptr && node_->kind == Node::Kind::map; }
  /// "label:line:column: key: text": a message about this place that is no error.
  [[nodiscard]] std::string note(std::string_view text) const;
  [[nodiscard]] int line() const { return place_.line; }
  /// "label:line:column: " of this place, for messages that are composed elsewhere.
  [[nodiscard]] std::string prefix() const;
  /// The entry `key` if this value is a map with only that key, or a result of pimbb, which has a
  /// `format` beside it; else the value itself.
  [[nodiscard]] Value unwrap(std::string_view key) const;

 private:
  friend class Object;
  Value(const Document& document, const Node* node, Place place, std::string key)
      : document_(&document), node_(node), place_(place), key_(std::move(key)) {}
  [[nodiscard]] std::string child_key(std::string_view name) const;
  [[nodiscard]] bool is_scalar() const {
    return node_ != nullptr && node_->kind == Node::Kind::scalar;
  }
  [[nodiscard]] std::optional<Rational> as_number() const;

  const Document* document_;
  const Node* node_;  // null: the key is missing
  Place place_;
  std::string key_;  // dotted; the root's is what it describes
  bool root_ = false;
};

/// A map whose keys have been checked.
class Object {
 public:
  [[nodiscard]] Value operator[](std::string_view key) const;  ///< fails when read if missing
  [[nodiscard]] std::optional<Value> find(std::string_view key) const { return map_.get(key); }

 private:
  friend class Value;
  explicit Object(Value map) : map_(std::move(map)) {}
  Value map_;
};

}  // namespace pimbb::files
