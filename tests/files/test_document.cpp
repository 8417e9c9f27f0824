// Texts that are not what they should be: syntax, encoding, nesting, and whatever chance makes of
// a valid file. Nothing may ever leave a reader but a result or an InputError.
#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "files/document.hpp"
#include "files/nearest.hpp"
#include "support/texts.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using texts::contains;
using texts::error_of;

namespace {

std::string refusal(std::string_view text) {
  return error_of([&] { parse_workload(text, "w.yaml"); });
}

/// Gives `text` to all four readers; anything but InputError ends the test.
void read_as_anything(const std::string& text) {
  static const Architecture architecture = texts::small_architecture();
  const auto attempt = [](auto&& read) {
    try {
      read();
    } catch (const InputError& error) {
      RC_ASSERT(contains(error.what(), "x.yaml:"));
    }
  };
  attempt([&] { parse_architecture(text, "x.yaml"); });
  attempt([&] { parse_workload(text, "x.yaml"); });
  attempt([&] { parse_network(text, "x.yaml"); });
  attempt([&] { parse_mapping(text, "x.yaml", architecture); });
}

std::string drop_line(const std::string& text, std::size_t line) {
  std::size_t start = 0;
  for (std::size_t i = 0; i < line && start < text.size(); ++i) {
    const std::size_t end = text.find('\n', start);
    start = end == std::string::npos ? 0 : end + 1;
  }
  const std::size_t end = text.find('\n', start);
  return text.substr(0, start) + (end == std::string::npos ? "" : text.substr(end + 1));
}

/// One random edit: cut the end off, change a byte, drop a line, or double a piece.
std::string mutate(std::string text) {
  if (text.empty()) return text;
  const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
  switch (*rc::gen::inRange(0, 4)) {
    case 0: return text.substr(0, at);
    case 1: text[at] = static_cast<char>(*rc::gen::inRange(0, 256)); return text;
    case 2: return drop_line(text, *rc::gen::inRange<std::size_t>(0, 30));
    default: {
      const auto to = *rc::gen::inRange<std::size_t>(0, text.size());
      return text.insert(to, text.substr(at, *rc::gen::inRange<std::size_t>(0, 40)));
    }
  }
}

}  // namespace

TEST_CASE("syntax errors name their place") {
  CHECK(contains(refusal("{\"R\": 1, \"S\": [2"), "w.yaml:1:17: found the end of the file inside"));
  CHECK(contains(refusal("{\"R\": 1,\n\"S\": 2\n\n"), "w.yaml:2:7: found the end of the file"));
  CHECK(contains(refusal("R: 'one\n"), "w.yaml:1:8: found the end of the file inside"));
  CHECK(contains(refusal("R: 1\n  S: 2\n"), "w.yaml:2:4: found text that is not YAML or JSON: "));
  CHECK(contains(refusal("R: 1\nS: *none\n"), "w.yaml:2:4: "));
  CHECK(contains(refusal("R: 1\nS: @\n"), "w.yaml:2:4: "));
}

TEST_CASE("files that hold something else") {
  CHECK(contains(refusal(""), "w.yaml:1:1: found an empty file"));
  CHECK(contains(refusal("# only a comment\n"), "found an empty file"));
  CHECK(contains(refusal("null"), "found an empty file"));
  CHECK(
      contains(refusal("just words"), "w.yaml:1:1: workload: found just words, allowed are a map"));
  CHECK(contains(refusal("[1, 2]"), "w.yaml:1:1: workload: found a list"));
  CHECK(contains(refusal("R: 1\n---\nS: 1\n"), "w.yaml:2:1: found a second document"));
  CHECK(contains(refusal("R: !!str 1\n"), "w.yaml:1:4: found the tag"));
  CHECK(contains(refusal("R: &a [*a]\n"), "w.yaml:1:8: found an alias inside"));
}

TEST_CASE("bytes that are no text") {
  CHECK(contains(refusal("R: 1\nS: \x04"), "w.yaml:2:4: found the byte 0x04"));
  CHECK(contains(refusal(std::string_view("R\0", 2)), "w.yaml:1:2: found the byte 0x00"));
  CHECK(contains(refusal("R: \xC3("), "w.yaml:1:4: found the byte 0xC3"));
  CHECK(contains(refusal("R: \xED\xA0\x80"), "0xED"));
  CHECK(contains(refusal("\xFF\xFER"), "0xFF"));
  const Workload w = parse_workload(
      "\xEF\xBB\xBFname: \"\xC3\xA9\"\r\nR: 1\r\nS: 1\r\nP: 1\r\nQ: 1\r\nC: 1\r\nK: 1\r\nN: 1\r\n",
      "dos.yaml");
  CHECK(w.name == "\xC3\xA9");
}

TEST_CASE("nesting is limited, however it is written") {
  for (const std::string& opening : {std::string("["), std::string("{a: "), std::string("- "),
                                     std::string("? "), std::string("[{a: ")}) {
    std::string deep;
    for (int i = 0; i < 100000; ++i) deep += opening;
    CAPTURE(opening);
    CHECK(contains(refusal(deep), "w.yaml:"));
    CHECK(contains(refusal(deep.substr(0, 65 * opening.size())), "w.yaml:"));
  }
  CHECK(contains(refusal(std::string(65, '[') + std::string(65, ']')),
                 "found more than 64 levels of nesting"));
  std::string chain = "- &a0 []\n";  // aliases can nest without any depth in the text
  for (int i = 1; i < 20000; ++i) {
    chain += "- &a" + std::to_string(i) + " [*a" + std::to_string(i - 1) + "]\n";
  }
  CHECK(contains(refusal(chain), "workload: found a list"));
}

TEST_CASE("long texts are shortened in messages") {
  const std::string message = refusal("R: " + std::string(5000, 'x'));
  CHECK(message.size() < 200);
  CHECK(contains(message, "xxx..., allowed are integers"));
}

TEST_CASE("random bytes are refused") {
  CHECK(rc::check("bytes", [](const std::string& text) { read_as_anything(text); }));
  const auto yaml = rc::gen::container<std::string>(
      rc::gen::element('{', '}', '[', ']', ':', ',', '-', '?', '!', '&', '*', '|', '>', '"', '\'',
                       '#', '%', '@', ' ', ' ', '\n', '\t', 'R', 'a', '1', '.', '\\', '<', '='));
  CHECK(rc::check("punctuation", [&] { read_as_anything(*yaml); }));
}

TEST_CASE("valid files with random damage are read or refused") {
  const std::string files[] = {std::string(texts::kArchitecture), std::string(texts::kWorkload),
                               std::string(texts::kNetwork), std::string(texts::kMapping)};
  CHECK(rc::check("damage", [&] {
    std::string text = files[*rc::gen::inRange(0, 4)];
    const int edits = *rc::gen::inRange(1, 4);
    for (int i = 0; i < edits; ++i) text = mutate(text);
    read_as_anything(text);
  }));
}

TEST_CASE("the nearest known word") {
  static constexpr std::string_view kWords[] = {"latency", "energy", "R", "S"};
  CHECK(files::nearest("latecny", kWords) == "latency");
  CHECK(files::nearest("Energy", kWords) == "energy");
  CHECK(files::nearest("r", kWords) == "R");
  CHECK(files::nearest("X", kWords).empty());
  CHECK(files::nearest("lat", kWords) == "latency");
  CHECK(files::nearest("la", kWords).empty());
  CHECK(files::nearest("bandwidth", kWords).empty());
  CHECK(files::nearest("", kWords).empty());
  CHECK(files::nearest(std::string(100000, 'x'), kWords).empty());
}
