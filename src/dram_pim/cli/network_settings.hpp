// The settings of pimbb network.
#pragma once

#include "dram_pim/cli/options.hpp"
#include "terminal/output_settings.hpp"

namespace pimbb::dram_pim::cli {

struct NetworkCommandSettings {
  NetworkSettings network;
  DeviceSettings device;
  bool agree_layouts = false;  ///< one plan for all layers
  bool stay = false;           ///< tensors between layers may stay in the units of a device
  QuestionSettings question;
  JointOptions joint;  ///< what the layers are solved for together
  RunLimits limits;
  OutputSettings output;
};

}  // namespace pimbb::dram_pim::cli
