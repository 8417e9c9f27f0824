// Changing single values of a document: copies of the nodes on the path, so that what an alias
// shares stays as it is elsewhere.
#include <algorithm>
#include <charconv>

#include "files/document.hpp"
#include "files/nearest.hpp"

namespace pimbb::files {
namespace {

/// The value of a map's key; null if there is none.
const Node* entry(const Node& map, std::string_view key) {
  for (std::size_t i = 0; i + 1 < map.items.size(); i += 2) {
    if (map.items[i]->text == key) return map.items[i + 1];
  }
  return nullptr;
}

std::string item_name(const Node& item) {
  const Node* name = item.kind == Node::Kind::map ? entry(item, "name") : nullptr;
  return name == nullptr ? std::string() : name->text;
}

}  // namespace

void Document::set(std::span<const std::string> path, std::string_view value, std::string label) {
  const std::string& origin = labels_.emplace_back(std::move(label));
  Document& part = *parts_.emplace_back(std::make_unique<Document>(value, origin));
  for (Node& node : part.nodes_) node.place.label = &origin;
  root_ = changed(root_, path, Place{1, 1, &origin}, part.root_);
}

const Node* Document::changed(const Node* node, std::span<const std::string> path, Place place,
                              const Node* value) {
  if (path.empty()) return value;
  const bool is_new = node == nullptr || node->kind == Node::Kind::null;
  Node copy =
      is_new ? Node{.kind = Node::Kind::map, .text = {}, .place = place, .items = {}} : *node;
  const std::string& key = path.front();
  const auto step = [&](const Node* child) {
    return changed(child, path.subspan(1), place, value);
  };
  if (copy.kind == Node::Kind::list) {
    const std::size_t i = item_of(copy, key, place);
    copy.items[i] = step(copy.items[i]);
  } else if (copy.kind == Node::Kind::map) {
    std::size_t i = 0;
    while (i < copy.items.size() && copy.items[i]->text != key) i += 2;
    if (i == copy.items.size()) {
      Node name{.kind = Node::Kind::scalar, .text = key, .place = place, .items = {}};
      copy.items.push_back(&nodes_.emplace_back(std::move(name)));
      copy.items.push_back(step(nullptr));
    } else {
      copy.items[i + 1] = step(copy.items[i + 1]);
    }
  } else {
    fail(place, "found the key '" + key + "' below the plain value " + copy.text +
                    ", allowed are keys of maps");
  }
  return &nodes_.emplace_back(std::move(copy));
}

const Node* Document::find(std::span<const std::string> path) const {
  const Node* node = root_;
  for (const std::string& key : path) {
    if (node->kind == Node::Kind::list) {
      const std::optional<std::size_t> i = find_item(*node, key);
      node = i ? node->items[*i] : nullptr;
    } else {
      node = node->kind == Node::Kind::map ? entry(*node, key) : nullptr;
    }
    if (node == nullptr) return nullptr;
  }
  return node;
}

/// The item of a list by its number, from 0, or by its name.
std::optional<std::size_t> Document::find_item(const Node& list, const std::string& key) {
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    if (!key.empty() && item_name(*list.items[i]) == key) return i;
  }
  std::size_t number = 0;
  const char* end = key.data() + key.size();
  const auto [stop, error] = std::from_chars(key.data(), end, number);
  if (error == std::errc() && stop == end && number < list.items.size()) return number;
  return std::nullopt;
}

std::size_t Document::item_of(const Node& list, const std::string& key, Place place) const {
  if (const std::optional<std::size_t> i = find_item(list, key)) return *i;
  std::vector<std::string> names;
  for (const Node* item : list.items) names.push_back(item_name(*item));
  const std::vector<std::string_view> known(names.begin(), names.end());
  fail(place, "found '" + key + "'" + did_you_mean(key, known) + ", allowed are " + join(known) +
                  " and numbers below " + std::to_string(names.size()));
}

}  // namespace pimbb::files
