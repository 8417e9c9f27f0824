// Bars and tables.
#include <doctest/doctest.h>

#include "terminal/format.hpp"
#include "terminal/table.hpp"
#include "terminal/terminal.hpp"

using namespace pimbb;
using namespace pimbb::terminal;

TEST_CASE("a bar has its width, grows with its share, and fills only at 1") {
  for (const bool unicode : {false, true}) {
    const Style style{false, unicode};
    std::size_t before = 0;
    for (int i = 0; i <= 1000; ++i) {
      CAPTURE(i);
      const std::string bar = style.bar(i / 1000.0, 20);
      CHECK(columns(bar) == 20);
      const std::size_t blank = bar.size() - (bar.find_last_not_of(' ') + 1);
      CHECK(20 - blank >= before);
      before = 20 - blank;
      CHECK((before == 0) == (i == 0));
      if (i < 1000) CHECK(bar != style.bar(1, 20));
    }
    CHECK(before == 20);
  }
}

TEST_CASE("a bar of a share out of range is clamped") {
  const Style style;
  CHECK(style.bar(7, 4) == "####");
  CHECK(style.bar(-1, 4) == "    ");
  CHECK(style.bar(0.5, 4) == "##  ");
  CHECK(style.bar(0.125, 4) == "-   ");
}

TEST_CASE("without colour nothing is added, with it text is wrapped") {
  CHECK(Style{}.good("proven") == "proven");
  CHECK(Style{true, false}.good("proven") == "\x1b[1;32mproven\x1b[0m");
  CHECK(Style{true, false}.good("") == "");
}

TEST_CASE("cells line up, wide ones are not cut") {
  const Table table({{"layer", 6, false}, {"cycles", 8}, {"by", 0, false}});
  CHECK(table.header({}) == "layer     cycles  by\n");
  CHECK(table.rule({}) == "--------------------\n");
  CHECK(table.row({"conv", "1,000", "x"}) == "conv       1,000  x\n");
  CHECK(table.row({"conv", "123,456,789", ""}) == "conv    123,456,789\n");
  CHECK(table.row({"\x1b[1mconv\x1b[0m", "1"}) == "\x1b[1mconv\x1b[0m           1\n");
}

TEST_CASE("a table fits its room: columns of high rank first, then the longest names") {
  const std::vector<Column> columns{
      {"layer", 12, false}, {"shape", 20, false, 3}, {"cycles", 8, true, 1}, {"nodes", 0, true, 2}};
  const std::vector<std::string> cells{"a_long_l\xC3\xA9yer", "R3 S3", "1,000", "12"};
  const auto lines = [&](std::size_t room) {
    const Table table(columns, room);
    return table.header({}) + table.row(cells) + table.note({});
  };
  CHECK(lines(51).starts_with("layer         shape                   cycles  nodes\n"));
  CHECK(lines(50) ==
        "layer           cycles  nodes\na_long_l\xC3\xA9yer     1,000     12\n"
        "--wide also shows: shape\n");
  CHECK(lines(28).ends_with("--wide also shows: shape, nodes\n"));
  CHECK(lines(22) ==
        "layer           cycles\na_long_l\xC3\xA9yer     1,000\n"
        "--wide also shows: shape, nodes\n");
  CHECK(lines(11) == "layer\na_long_l\xC3\xA9..\n--wide also shows: shape, cycles, nodes\n");
  CHECK(lines(3) == "layer\na_long..\n--wide also shows: shape, cycles, nodes\n");
  const Table narrow(columns, 28);
  CHECK(narrow.rule({}).size() == 22 + 1);
}

TEST_CASE("a whole table takes its widths from its rows") {
  CHECK(whole_table({}, {{"a", 0, false}, {"b"}}, {{"x", "1"}, {"long", "22"}}) ==
        "a      b\nx      1\nlong  22\n");
}
