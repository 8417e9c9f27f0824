// Lines of JSON; architectures, layers and mappings by the readers of pimbb.
#include "cim/golden.hpp"

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <stdexcept>

#include "pimbb/io.hpp"

namespace golden {

using namespace pimbb;

std::optional<std::filesystem::path> folder() {
  const char* shared = std::getenv("PIMBB_SHARED");
  if (shared != nullptr) return std::filesystem::path(shared) / "golden" / "cim";
  std::cerr << "skipped: PIMBB_SHARED is not set\n";
  return std::nullopt;
}

std::vector<Json> lines(const std::filesystem::path& file) {
  std::ifstream stream(file);
  if (!stream) throw std::runtime_error("no file " + file.string());
  std::vector<Json> all;
  for (std::string line; std::getline(stream, line);) all.push_back(Json::parse(line));
  if (all.empty()) throw std::runtime_error("no lines in " + file.string());
  return all;
}

cim::Architecture architecture(const Json& json) {
  if (json.is_string()) return cim::read_architecture(json.get<std::string>());
  return cim::parse_architecture(json.dump(), "golden");
}

Workload layer(const Json& json) { return parse_workload(json.dump(), "golden"); }

cim::Mapping mapping(const Json& json, const cim::Architecture& architecture) {
  return cim::parse_mapping(json.dump(), "golden", architecture);
}

}  // namespace golden
