// What pages and completions say of a command line.
#include <doctest/doctest.h>

#include <CLI/CLI.hpp>

#include "support/texts.hpp"
#include "terminal/completion.hpp"
#include "terminal/help.hpp"
#include "terminal/man.hpp"
#include "terminal/manual.hpp"
#include "terminal/program.hpp"
#include "terminal/shared_command.hpp"

using namespace pimbb::terminal;
using texts::contains;

namespace {

/// A program with two commands, one of which explains the other.
Manual small_manual() {
  CLI::App program("Does things.", "small");
  CLI::App* walk = program.add_subcommand("walk", "Goes there, it's slow");
  static bool quiet = false;
  static std::string place;
  static std::string command;
  walk->add_flag("-q,--quiet", quiet, "No word")->group("Output");
  walk->add_option("--to", place, "Where to")->type_name("PLACE")->group("Problem");
  walk->footer("It takes time.\nMuch.\n\nExamples:\n  small walk --to C\n\nExit codes: 0 there.");
  CLI::App* explain = program.add_subcommand("explain", "Tells about a command");
  explain->add_option("COMMAND", command, "Which one");
  return manual_of(program, [](const std::string&, const std::string& option) {
    return option == "--to" ? Choices{.words = {"A", "B"}} : Choices{};
  });
}

const OptionEntry& option_of(const CommandEntry& command, const std::string& name) {
  const auto found = std::ranges::find_if(
      command.options, [&](const OptionEntry& o) { return o.names.back() == name; });
  REQUIRE(found != command.options.end());
  return *found;
}

}  // namespace

TEST_CASE("a manual knows flags from options, and the commands that an argument names") {
  const Manual manual = small_manual();
  REQUIRE(manual.commands.size() == 2);
  const CommandEntry& walk = manual.commands[0];
  CHECK(option_of(walk, "--quiet").value == "");
  CHECK(option_of(walk, "--to").value == "PLACE");
  CHECK(option_of(walk, "--to").heading() == "--to PLACE");
  CHECK(option_of(walk, "--to").choices.words == std::vector<std::string>{"A", "B"});
  const OptionEntry& command = option_of(manual.commands[1], "COMMAND");
  CHECK(command.argument);
  CHECK(command.choices.words == std::vector<std::string>{"walk", "explain"});
}

TEST_CASE("paragraphs below the options become notes") {
  const Manual manual = small_manual();
  CHECK(manual.commands[1].notes.empty());
  const std::vector<Note>& notes = manual.commands[0].notes;
  REQUIRE(notes.size() == 3);
  CHECK(notes[0].text == "It takes time. Much.");
  CHECK(notes[1].title == "Examples");
  CHECK(notes[1].lines == std::vector<std::string>{"small walk --to C"});
  CHECK(notes[2].title == "Exit status");
}

TEST_CASE("tables of options by group, and what a page points to") {
  const Manual manual = small_manual();
  const std::string page = markdown_page(manual, manual.commands[0]);
  const std::size_t output = page.find("| Output |");
  const std::size_t problem = page.find("| Problem |");
  REQUIRE(output != std::string::npos);
  REQUIRE(problem != std::string::npos);
  CHECK((page.find("--quiet") > output && page.find("--quiet") < problem));
  CHECK(page.find("--to") > problem);
  const auto also = [](const std::string& roff) { return roff.substr(roff.find(".SH SEE ALSO")); };
  CHECK(contains(also(roff_page(manual, manual.program)), "explain"));
  CHECK_FALSE(contains(also(roff_page(manual, manual.commands[0])), "explain"));
}

TEST_CASE("completions quote as their shell does, and offer the values of an option") {
  const Manual manual = small_manual();
  CHECK(contains(fish_completion(manual), R"('Goes there, it\'s slow')"));
  for (const std::string& script :
       {bash_completion(manual), zsh_completion(manual), fish_completion(manual)}) {
    CHECK(contains(script, "A B"));
  }
  const std::vector<ValueGroup> groups = value_groups(manual);
  const OptionEntry& to = option_of(manual.commands[0], "--to");
  CHECK(group_of(groups, manual.commands[0], to).choices == to.choices);
}

namespace {

/// The message for a command line of a program with the commands `walk` and `run`.
std::string refused(const std::string& line) {
  CLI::App program("Does things.", "small");
  program.require_subcommand(1);
  CLI::App* walk = program.add_subcommand("walk", "Goes there");
  program.add_subcommand("run", "Goes there in haste");
  static std::string place;
  walk->add_option("--place", place, "Where to");
  try {
    program.parse(line);
  } catch (const CLI::Error& error) {
    return refusal(walk->parsed() ? walk : &program, error);
  }
  return "";
}

Command part_of(const std::vector<std::string>& options) {
  Command command{"walk", "Goes there", "Examples:\n  walk", {}};
  command.prepare = [options](const Program&) {
    static OutputSettings output;
    PreparedCommand prepared{{}, &output, [] { return 0; }};
    for (const std::string& option : options) {
      const char* name = option.starts_with("--to") ? "--to" : "--by";
      prepared.options.push_back(
          {name, "X", groups::kProblem, "", option, [](std::string_view, const std::string&) {}});
    }
    return prepared;
  };
  return command;
}

}  // namespace

TEST_CASE("a message names what was not understood: a command, an option, or a word") {
  CHECK(contains(refused(""), "a command is needed: walk, run"));
  CHECK(contains(refused("wall"), "found 'wall', allowed are the commands walk, run"));
  CHECK(contains(refused("--place A"), "unknown option '--place'"));
  CHECK(contains(refused("walk --plane A"), "unknown option '--plane'"));
  CHECK(contains(refused("walk there"), "found 'there', which belongs to no option"));
}

TEST_CASE("a command of several kinds has the options of all, and says whose they are") {
  const Command shared =
      shared_command({{pimbb::Kind::dram_pim, part_of({"--to a place"})},
                      {pimbb::Kind::cim, part_of({"--to a place", "--by a vehicle"})},
                      {pimbb::Kind::crossbar, part_of({"--to nowhere", "--by a ship"})}},
                     [](const GivenValue&) { return pimbb::Kind::cim; });
  const ProgramText text{"small", "1", "", "Does things.", "", ""};
  const Program program(text, {});
  const OptionRows rows = shared.prepare(program).options;
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].help == "--to a place; with kind crossbar: --to nowhere");
  CHECK(rows[1].help == "--by a vehicle; with kind crossbar: --by a ship (kind cim, crossbar)");
}
