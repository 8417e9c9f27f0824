// Small pieces of text: the well-formed bytes of UTF-8, cells of tables, sizes of files.
#include <doctest/doctest.h>

#include <fstream>

#include "files/csv.hpp"
#include "files/source.hpp"
#include "files/utf8.hpp"
#include "support/folder.hpp"
#include "support/texts.hpp"

using namespace pimbb;

namespace {

/// The UTF-8 bytes of a number as the standard's table says, in as many bytes as asked for.
std::string encoded(std::uint32_t code, std::size_t length) {
  constexpr std::array<std::uint32_t, 5> kHeads{0, 0, 0xC0, 0xE0, 0xF0};
  if (length == 1) return std::string(1, static_cast<char>(code));
  std::string bytes;
  for (std::size_t i = 1; i < length; ++i, code >>= 6) {
    bytes.insert(bytes.begin(), static_cast<char>(0x80 | (code & 0x3F)));
  }
  return static_cast<char>(kHeads.at(length) | code) + bytes;
}

}  // namespace

TEST_CASE("UTF-8: the first and the last of each length, and none in between that are not text") {
  struct Range {
    std::uint32_t first, last;
    std::size_t length;
  };
  constexpr Range kText[] = {{0, 0x7F, 1},          {0x80, 0x7FF, 2},       {0x800, 0xFFF, 3},
                             {0x1000, 0xD7FF, 3},   {0xE000, 0xFFFF, 3},    {0x10000, 0x3FFFF, 4},
                             {0x40000, 0xFFFFF, 4}, {0x100000, 0x10FFFF, 4}};
  for (const Range& range : kText) {
    for (const std::uint32_t code : {range.first, range.last}) {
      CAPTURE(code);
      const std::string text = encoded(code, range.length);
      CHECK(files::utf8_length(text + "a") == range.length);
      for (std::size_t kept = 1; kept < text.size(); ++kept) {
        CHECK(files::utf8_length(text.substr(0, kept)) == 0);
        std::string broken = text;
        broken[kept] = 'a';
        CHECK(files::utf8_length(broken) == 0);
      }
      if (range.length < 4) CHECK(files::utf8_length(encoded(code, range.length + 1)) == 0);
    }
  }
  for (const std::uint32_t surrogate : {0xD800, 0xDFFF}) {
    CHECK(files::utf8_length(encoded(surrogate, 3)) == 0);
  }
  for (const std::uint32_t beyond : {0x110000, 0x13FFFF, 0x1FFFFF}) {
    CHECK(files::utf8_length(encoded(beyond, 4)) == 0);
  }
  CHECK(files::utf8_length("\x80") == 0);
  CHECK(files::utf8_length("\xBF") == 0);
}

TEST_CASE("plain text is one line of it") {
  CHECK(files::is_plain_text(""));
  CHECK(files::is_plain_text(" ~\u00e9"));
  for (const char* text : {"a\x1f", "\n", "a\x7f", "a\x80"}) CHECK(!files::is_plain_text(text));
}

TEST_CASE("cells of a table are quoted where they have to be") {
  files::CsvRow row;
  row.add("plain").add("a,b").add("say \"no\"").add("two\nlines").add("end\r").add("");
  CHECK(row.text() == "plain,\"a,b\",\"say \"\"no\"\"\",\"two\nlines\",\"end\r\",\n");
  CHECK(files::CsvRow().add(std::int64_t{-3}).add(0.1).add(Rational(1, 4)).text() ==
        "-3,0.1,0.25\n");
  CHECK(files::CsvRow().add(std::optional<double>()).add(std::optional(2.5)).text() == ",2.5\n");
  CHECK(files::csv_header({"a", "b c"}) == "a,b c\n");
}

TEST_CASE("a file may have as many bytes as are allowed, and no more") {
  const texts::Folder folder;
  const std::string path = folder.path("large");
  constexpr std::size_t kMebibyte = std::size_t{1} << 20;
  std::ofstream(path) << std::string(3 * kMebibyte, 'a');
  CHECK(files::load_file(path, 3 * kMebibyte).text.size() == 3 * kMebibyte);
  std::ofstream(path, std::ios::app) << 'a';
  CHECK(texts::contains(
      texts::error_of([&] { static_cast<void>(files::load_file(path, 3 * kMebibyte)); }),
      "large: found more than 3 MiB, allowed are files up to that size"));
}
