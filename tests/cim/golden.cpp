// Lines of JSON; architectures, layers and mappings by the readers of pimbb.
#include "cim/golden.hpp"

#include <stdexcept>

#include "pimbb/io.hpp"

namespace golden {

using namespace pimbb;

cim::Architecture architecture(const Json& json) {
  if (json.is_string()) return cim::read_architecture(json.get<std::string>());
  return cim::parse_architecture(json.dump(), "golden");
}

Workload layer(const Json& json) { return parse_workload(json.dump(), "golden"); }

cim::Mapping mapping(const Json& json, const cim::Architecture& architecture) {
  return cim::parse_mapping(json.dump(), "golden", architecture);
}

}  // namespace golden
