// Reading scalars, lists and maps, with a message for everything that can be wrong about them.
#include "files/value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <charconv>
#include <stdexcept>

#include "files/nearest.hpp"

namespace pimbb::files {
namespace {

constexpr std::size_t kLongestQuote = 60;  // characters of the user's text repeated in a message

/// The user's text as a message may repeat it: one line, not too long.
std::string shorten(std::string_view text) {
  std::size_t end = std::min(text.size(), kLongestQuote);
  if (end < text.size()) {  // not inside a UTF-8 character
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80) --end;
  }
  std::string line(text.substr(0, end));
  std::replace_if(
      line.begin(), line.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  return end < text.size() ? line + "..." : line;
}

std::string integer_range(std::int64_t min, std::int64_t max) {
  return max == std::numeric_limits<std::int64_t>::max()
             ? fmt::format("integers >= {}", min)
             : fmt::format("integers {} .. {}", min, max);
}

/// An integral Rational as int64, if it fits.
std::optional<std::int64_t> to_int64(const Rational& value) {
  const std::string digits = value.to_string();
  std::int64_t result = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), result);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return result;
}

}  // namespace

std::string Value::text(std::string_view allowed) const {
  if (!is_scalar() || node_->text.empty()) fail(found(), allowed);
  return node_->text;
}

bool Value::boolean() const {
  if (is_scalar() && !node_->quoted) {
    const std::string& t = node_->text;
    if (t == "true" || t == "True" || t == "TRUE") return true;
    if (t == "false" || t == "False" || t == "FALSE") return false;
  }
  fail(found(), "true, false");
}

std::optional<Rational> Value::as_number() const {
  if (!is_scalar()) return std::nullopt;
  // JSON has fractions only as text: "1/3".
  if (node_->quoted && node_->text.find('/') == std::string::npos) return std::nullopt;
  try {
    return Rational::parse(node_->text);
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
}

std::int64_t Value::integer(std::int64_t min, std::int64_t max) const {
  const std::optional<Rational> number = as_number();
  if (!number || !number->is_integer()) fail(found(), integer_range(min, max));
  const std::optional<std::int64_t> value = to_int64(*number);
  if (!value) {  // too large for any integer here: say how large one may be
    fail(found(), fmt::format("integers {} .. {}", min, max));
  }
  if (*value < min || *value > max) fail(found(), integer_range(min, max));
  return *value;
}

Rational Value::positive() const {
  std::optional<Rational> number = as_number();
  if (!number || number->sign() <= 0) fail(found(), "numbers > 0");
  return *std::move(number);
}

Rational Value::not_negative() const {
  std::optional<Rational> number = as_number();
  if (!number || number->sign() < 0) fail(found(), "numbers >= 0");
  return *std::move(number);
}

std::size_t Value::choice(std::span<const std::string_view> names) const {
  if (is_scalar()) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i] == node_->text) return i;
    }
    fail(found() + did_you_mean(node_->text, names), join(names));
  }
  fail(found(), join(names));
}

std::vector<Value> Value::list(std::string_view allowed, std::optional<std::size_t> size) const {
  if (!is_list()) fail(found(), allowed);
  if (size && node_->items.size() != *size) {
    fail(fmt::format("a list of {}", node_->items.size()), allowed);
  }
  std::vector<Value> values;
  values.reserve(node_->items.size());
  for (const Node* item : node_->items) {
    const std::string position = fmt::format("[{}]", values.size());
    values.push_back(Value(*document_, item, item->place, root_ ? position : key_ + position));
  }
  return values;
}

Object Value::object(std::span<const std::string_view> keys) const {
  if (!is_map()) fail(found(), "a map with the keys " + join(keys));
  const std::vector<const Node*>& items = node_->items;
  assert(items.size() % 2 == 0);
  for (std::size_t i = 0; i < items.size(); i += 2) {
    const Node& key = *items[i];
    if (key.kind != Node::Kind::scalar) {
      Value(*document_, &key, key.place, key_)
          .fail("a key that is not plain text", "the keys " + join(keys));
    }
    const Value entry(*document_, &key, key.place, child_key(shorten(key.text)));
    bool known = false;
    for (const std::string_view name : keys) known = known || name == key.text;
    if (!known) {
      entry.fail("an unknown key" + did_you_mean(key.text, keys), join(keys));
    }
    for (std::size_t j = 0; j < i; j += 2) {
      if (items[j]->text == key.text) {
        entry.fail(fmt::format("the key a second time (first in line {})", items[j]->place.line),
                   "each key once");
      }
    }
  }
  return Object(*this);
}

std::vector<std::string_view> Value::keys(std::string_view allowed) const {
  if (!is_map()) fail(found(), allowed);
  std::vector<std::string_view> keys;
  for (std::size_t i = 0; i < node_->items.size(); i += 2) keys.emplace_back(node_->items[i]->text);
  return keys;
}

std::optional<Value> Value::get(std::string_view key) const {
  if (!is_map()) return std::nullopt;
  for (std::size_t i = 0; i < node_->items.size(); i += 2) {
    const Node& name = *node_->items[i];
    if (name.kind != Node::Kind::scalar || name.text != key) continue;
    const Node& value = *node_->items[i + 1];
    // yaml-cpp places an empty value at whatever follows it: point to its key instead.
    const Place place = value.kind == Node::Kind::null ? name.place : value.place;
    return Value(*document_, &value, place, child_key(key));
  }
  return std::nullopt;
}

Value Value::unwrap(std::string_view key) const {
  if (has("format") && has(key)) return *get(key);
  return has(key) ? object({&key, 1})[key] : *this;
}

std::string Value::prefix() const {
  if (place_.label != nullptr) return *place_.label + ": ";
  return fmt::format("{}:{}:{}: ", document_->label(), place_.line, place_.column);
}

std::string Value::note(std::string_view text) const {
  return fmt::format("{}{}: {}", prefix(), key_, text);
}

void Value::fail(std::string_view found, std::string_view allowed) const {
  document_->fail(place_, fmt::format("{}: found {}, allowed are {}", key_, found, allowed));
}

std::string Value::found() const {
  if (node_ == nullptr) return "nothing (the key is missing)";
  switch (node_->kind) {
    case Node::Kind::null: return "nothing";
    case Node::Kind::list: return "a list";
    case Node::Kind::map: return "a map";
    default: break;
  }
  return node_->quoted ? '"' + shorten(node_->text) + '"' : shorten(node_->text);
}

std::string Value::child_key(std::string_view name) const {
  return root_ ? std::string(name) : key_ + "." + std::string(name);
}

Value Object::operator[](std::string_view key) const {
  std::optional<Value> value = find(key);
  if (value) return *std::move(value);
  return {*map_.document_, nullptr, map_.place_, map_.child_key(key)};
}

}  // namespace pimbb::files
