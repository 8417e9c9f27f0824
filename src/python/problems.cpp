// Reading by the library's readers, writing by the writers of its documents.
#include "python/problems.hpp"

#include "cim/io/result_json.hpp"
#include "cli/kind_of.hpp"
#include "crossbar/io/architecture_json.hpp"
#include "dram_pim/io/device_json.hpp"
#include "dram_pim/io/result_json.hpp"
#include "files/source.hpp"
#include "layers/graph_json.hpp"
#include "layers/workload_json.hpp"
#include "pimbb/cim/io.hpp"
#include "pimbb/crossbar/io.hpp"
#include "pimbb/dram_pim/io.hpp"
#include "pimbb/kind.hpp"

namespace pimbb::python {
MachineText architecture_text(const std::string& source, const std::vector<std::string>& changes,
                              const Texts& texts) {
  const files::GivenTexts given(texts);
  const Kind kind = cli::kind_of_architecture(source);
  const auto answer = [&](const files::Json& json, std::vector<std::string> warnings) {
    return MachineText{std::string(name(kind)), files::to_text(json), std::move(warnings)};
  };
  if (kind == Kind::dram_pim) {
    const auto architecture = dram_pim::read_architecture(source, changes);
    return answer(dram_pim::io::architecture_json(architecture), architecture.warnings);
  }
  if (kind == Kind::cim) {
    const auto architecture = cim::read_architecture(source, changes);
    return answer(cim::io::architecture_json(architecture), architecture.warnings);
  }
  const auto architecture = crossbar::read_architecture(source, changes);
  return answer(crossbar::io::architecture_json(architecture), crossbar::warnings(architecture));
}

MachineText device_text(const std::string& source, const std::vector<std::string>& changes,
                        const Texts& texts) {
  const files::GivenTexts given(texts);
  const auto device = dram_pim::read_device(source, changes);
  return {"device", files::to_text(dram_pim::io::device_json(device)), device.warnings};
}

std::string layer_text(const std::string& source, const NetworkOptions& options,
                       const Texts& texts) {
  const files::GivenTexts given(texts);
  return files::to_text(layers::workload_json(read_workload(source, options)));
}

std::string network_text(const std::string& source, const NetworkOptions& options,
                         const Texts& texts) {
  const files::GivenTexts given(texts);
  const Network network = read_network(source, options);
  files::Json json = files::Json::object();
  json["name"] = network.name;
  json["layers"] = files::Json::array();
  for (const NetworkLayer& layer : network.layers) {
    json["layers"].push_back(layers::workload_json(layer.workload));
    json["layers"].back()["repetitions"] = layer.repetitions;
  }
  if (network.moves_auto) json["moves"] = "auto";
  if (network.graph) json["nodes"] = layers::nodes_json(network);
  return files::to_text(json);
}

std::map<std::string, std::vector<std::string>> presets() {
  return {{std::string(name(Kind::dram_pim)), dram_pim::architecture_presets()},
          {std::string(name(Kind::cim)), cim::architecture_presets()},
          {std::string(name(Kind::crossbar)), crossbar::architecture_presets()},
          {"device", dram_pim::device_presets()},
          {"network", network_presets()}};
}

}  // namespace pimbb::python
