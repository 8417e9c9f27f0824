// Accelerators, layers and networks for Python, as JSON texts with the keys of their files.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "pimbb/io.hpp"

namespace pimbb::python {

/// `texts` stand for files of these names, here and below.
using Texts = std::map<std::string, std::string>;

/// An accelerator or device: all that its file can say, and warnings about what its file says.
struct MachineText {
  std::string kind;  ///< "dram_pim"; of devices "device"
  std::string text;
  std::vector<std::string> warnings;
};

/// `changes` as in --set.
MachineText architecture_text(const std::string& source, const std::vector<std::string>& changes,
                              const Texts& texts);
MachineText device_text(const std::string& source, const std::vector<std::string>& changes,
                        const Texts& texts);
std::string layer_text(const std::string& source, const NetworkOptions& options,
                       const Texts& texts);
/// Keys name, layers, and nodes if the network has a graph.
std::string network_text(const std::string& source, const NetworkOptions& options,
                         const Texts& texts);
/// The names of what is embedded, by kind: "dram_pim", "cim", "crossbar", "device", "network".
std::map<std::string, std::vector<std::string>> presets();

}  // namespace pimbb::python
