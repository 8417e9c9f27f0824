#include "report/pictures.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <boost/archive/iterators/binary_from_base64.hpp>
#include <boost/archive/iterators/transform_width.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string_view>

#include "pimbb/error.hpp"
#include "pimbb/write_file.hpp"

namespace pimbb::report {
namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 4> kBrowsers{"chromium", "chromium-browser", "google-chrome",
                                               "chrome"};

std::string find_browser() {
  const char* path = std::getenv("PATH");
  for (const char* name : kBrowsers) {
    std::istringstream folders(path == nullptr ? "" : path);
    for (std::string folder; std::getline(folders, folder, ':');) {
      const fs::path file = fs::path(folder) / name;
      if (::access(file.c_str(), X_OK) == 0) return name;
    }
  }
  throw InputError(
      "--png: found no browser on the path that draws the pictures, allowed are chromium, "
      "chromium-browser, google-chrome and chrome");
}

/// A folder of our own that is removed again.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "pimbb-report-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
      throw InputError(name + ": a temporary folder cannot be made");
    }
    path_ = name;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::string output_of(const std::string& command) {
  FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return "";
  std::string text;
  std::array<char, 1 << 16> buffer{};
  for (std::size_t n = 0; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    text.append(buffer.data(), n);
  }
  ::pclose(pipe);
  return text;
}

std::string from_base64(std::string_view text) {
  using namespace boost::archive::iterators;
  using Bytes = transform_width<binary_from_base64<std::string_view::const_iterator>, 8, 6>;
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  const std::size_t size = text.size() * 6 / 8;
  std::string bytes;
  bytes.reserve(size);
  for (Bytes at(text.begin()); bytes.size() < size; ++at) bytes.push_back(*at);
  return bytes;
}

}  // namespace

void draw_pictures(const std::string& page,
                   const std::function<void(const std::string&, const std::string&)>& take) {
  const std::string browser = find_browser();
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "report.html";
  write_file(file.string(), page);
  const std::string dom = output_of(fmt::format(
      "timeout 300 {} --headless {}--disable-gpu --no-first-run --disable-background-networking "
      "--disable-component-update --disable-sync --user-data-dir='{}' --virtual-time-budget=120000 "
      "--dump-dom 'file://{}#pictures' 2>/dev/null",
      browser, ::geteuid() == 0 ? "--no-sandbox " : "", (folder.path() / "profile").string(),
      file.string()));
  constexpr std::string_view kStart = R"(class="picture" data-id=")";
  constexpr std::string_view kData = "data:image/png;base64,";
  if (dom.find("data-pictures=\"") == std::string::npos) {
    throw InputError(fmt::format("--png: {} did not draw the report", browser));
  }
  for (std::size_t at = dom.find(kStart); at != std::string::npos; at = dom.find(kStart, at)) {
    at += kStart.size();
    const std::string id = dom.substr(at, dom.find('"', at) - at);
    const std::size_t data = dom.find(kData, at) + kData.size();
    const std::size_t end = dom.find('<', data);
    take(id, from_base64(std::string_view(dom).substr(data, end - data)));
  }
}

}  // namespace pimbb::report
