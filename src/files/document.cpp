// Parsing: check the bytes, let yaml-cpp read them, build the tree from its events.
#include "files/document.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <map>
#include <sstream>

#include "files/utf8.hpp"
#include "pimbb/error.hpp"

namespace pimbb::files {
namespace {

constexpr std::size_t kMaxDepth = 64;

Place place_of(const YAML::Mark& mark) {
  return mark.is_null() ? Place{} : Place{mark.line + 1, mark.column + 1};
}

/// Just past the last character that is not white space.
Place end_of(std::string_view text) {
  text = text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
  const std::size_t line_start = text.rfind('\n') + 1;  // npos + 1 is 0
  return {static_cast<int>(std::count(text.begin(), text.end(), '\n')) + 1,
          static_cast<int>(text.size() - line_start) + 1};
}

}  // namespace

class Document::Builder : public YAML::EventHandler {
 public:
  explicit Builder(Document& document) : document_(document) {}

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (document_.root_ != nullptr) {
      document_.fail(place_of(mark), "found a second document, allowed is one per file");
    }
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    leaf(add(Node::Kind::null, mark), anchor);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) {
      document_.fail(place_of(mark),
                     "found an alias inside the node it stands for, allowed are "
                     "aliases of nodes that are complete");
    }
    attach(found->second);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    check_tag(mark, tag);
    Node& node = add(Node::Kind::scalar, mark);
    node.text = value;
    node.quoted = tag == "!";
    leaf(node, anchor);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    open(Node::Kind::list, mark, tag, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    open(Node::Kind::map, mark, tag, anchor);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    Node* node;
    YAML::anchor_t anchor;
  };

  Node& add(Node::Kind kind, const YAML::Mark& mark) {
    Node& node = document_.nodes_.emplace_back();
    node.kind = kind;
    node.place = place_of(mark);
    return node;
  }
  void check_tag(const YAML::Mark& mark, const std::string& tag) const {
    if (tag.empty() || tag == "?" || tag == "!") return;
    document_.fail(place_of(mark), "found the tag " + tag + ", allowed are values without tags");
  }
  void open(Node::Kind kind, const YAML::Mark& mark, const std::string& tag,
            YAML::anchor_t anchor) {
    check_tag(mark, tag);
    if (open_.size() == kMaxDepth) {
      document_.fail(place_of(mark), fmt::format("found more than {} levels of nesting, allowed "
                                                 "are {} at most",
                                                 kMaxDepth, kMaxDepth));
    }
    open_.push_back({&add(kind, mark), anchor});
  }
  void close() {
    assert(!open_.empty());
    const Open last = open_.back();
    open_.pop_back();
    leaf(*last.node, last.anchor);
  }
  /// A node that is complete: it may be aliased from now on.
  void leaf(const Node& node, YAML::anchor_t anchor) {
    if (anchor != YAML::NullAnchor) anchors_[anchor] = &node;
    attach(&node);
  }
  void attach(const Node* node) {
    if (open_.empty()) {
      document_.root_ = node;
    } else {
      [[maybe_unused]] const Node::Kind kind = open_.back().node->kind;
      assert(kind == Node::Kind::list || kind == Node::Kind::map);
      open_.back().node->items.push_back(node);
    }
  }

  Document& document_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, const Node*> anchors_;
};

Document::Document(std::string_view text, std::string label) : label_(std::move(label)) {
  check_text(text);
  // The explicit end of document keeps yaml-cpp 0.7 from looking for a token past the last one.
  std::istringstream stream(std::string(text) + "\n...\n");
  try {
    YAML::Parser parser(stream);
    Builder builder(*this);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& error) {
    const Place place = place_of(error.mark);
    const Place end = end_of(text);
    if (place.line > end.line) fail(end, "found the end of the file inside a list, map or string");
    fail(place, "found text that is not YAML or JSON: " + error.msg);
  }
  if (root_ == nullptr || root_->kind == Node::Kind::null) {
    fail({}, "found an empty file, allowed is one YAML or JSON document");
  }
}

void Document::fail(Place place, std::string_view message) const {
  if (place.label != nullptr) throw InputError(fmt::format("{}: {}", *place.label, message));
  throw InputError(fmt::format("{}:{}:{}: {}", label_, place.line, place.column, message));
}

void Document::check_text(std::string_view text) const {
  Place place;
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool control =
        (byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r') || byte == 0x7F;
    const std::size_t length = utf8_length(text.substr(i));
    if (control || length == 0) {
      fail(place, fmt::format("found the byte 0x{:02X}, allowed is UTF-8 text without control "
                              "characters",
                              byte));
    }
    i += length;
    ++place.column;
    if (byte == '\n') place = {place.line + 1, 1};
  }
}

}  // namespace pimbb::files
