// What pages and completions say of a command line.
#include <doctest/doctest.h>

#include <CLI/CLI.hpp>

#include "support/texts.hpp"
#include "terminal/completion.hpp"
#include "terminal/man.hpp"
#include "terminal/manual.hpp"

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
