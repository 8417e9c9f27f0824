// What is written to files: logs and documents; how the output is drawn.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "pimbb/error.hpp"
#include "support/folder.hpp"
#include "terminal/layer_options.hpp"
#include "terminal/log.hpp"
#include "terminal/output.hpp"

using namespace pimbb;
using namespace pimbb::terminal;

namespace {

std::string content_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("a log is a file that nobody executes, of lines in UTF-8") {
  const texts::Folder folder;
  OutputSettings settings;
  settings.log = folder.write("some.log", "old");
  std::remove(settings.log.c_str());
  const mode_t mask = umask(0);
  {
    Log log(settings);
    log.about("layer", "Größe");
    log.result("layer", {{"nodes", 3}});
    log.finish();
  }
  umask(mask);
  struct stat status {};
  REQUIRE(stat(settings.log.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0666);
  CHECK(content_of(settings.log) == R"({"event":"layer","layer":"Größe","nodes":3})"
                                    "\n");
}

TEST_CASE("version and command stand behind the format of a document") {
  const texts::Folder folder;
  OutputSettings settings;
  settings.json = folder.write("some.json", "");
  settings.version = "1";
  settings.command = "walk";
  Output output(settings);
  output.json([] { return R"({"format": "f", "a": 1, "b": 2})"; });
  output.finish();
  const std::string text = content_of(settings.json);
  std::vector<std::size_t> places;
  for (const char* key : {"\"format\"", "\"version\"", "\"command\"", "\"a\"", "\"b\""}) {
    places.push_back(text.find(key));
  }
  CHECK(places.back() != std::string::npos);
  CHECK(std::ranges::is_sorted(places));
}

TEST_CASE("what standard output takes is written") {
  const OutputSettings settings;
  Output output(settings);
  CHECK(output.content(""));
  CHECK_NOTHROW(output.finish());
}

TEST_CASE("batch sizes are those of 31 bits") {
  NetworkOptions options;
  const OptionRow row = batch_row(options);
  row.store("--batch", "2147483647");
  CHECK(options.batch == 2147483647);
  for (const char* text : {"0", "2147483648", "-1", "x"}) {
    CHECK_THROWS_AS(row.store("--batch", text), InputError);
  }
}

TEST_CASE("without a locale, and in that of C, nothing but ASCII is drawn") {
  const std::vector<std::string> names{"LC_ALL", "LC_CTYPE", "LANG"};
  std::vector<std::optional<std::string>> before;
  for (const std::string& name : names) {
    const char* value = std::getenv(name.c_str());
    before.push_back(value == nullptr ? std::nullopt : std::optional<std::string>(value));
    unsetenv(name.c_str());
  }
  CHECK_FALSE(style_of_stdout(false, false).unicode);
  setenv("LANG", "de_DE.UTF-8", 1);
  CHECK(style_of_stdout(false, false).unicode);
  CHECK_FALSE(style_of_stdout(true, false).unicode);
  setenv("LC_ALL", "C", 1);
  CHECK_FALSE(style_of_stdout(false, false).unicode);
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (before[k]) {
      setenv(names[k].c_str(), before[k]->c_str(), 1);
    } else {
      unsetenv(names[k].c_str());
    }
  }
}
