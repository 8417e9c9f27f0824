// pimbb map, evaluate and audit with --device.
#pragma once

#include "dram_pim/cli/options.hpp"

namespace pimbb::dram_pim::cli {

struct DeviceMapSettings {
  const LayerSettings& layer;
  const DeviceSettings& device;
  const QuestionSettings& question;
  const RunLimits& limits;
  const OutputSettings& output;
  const std::string& instance;  ///< where to write the problem, empty: solve it
};

/// The best mapping of a layer onto a device; the exit code.
int map_on_device(const DeviceMapSettings& settings);

struct DeviceAuditSettings {
  const MappingSettings& mapping;
  const DeviceSettings& device;
  const QuestionSettings& question;
  const RunLimits& limits;
  const OutputSettings& output;
};

/// How far a given mapping onto a device is from the best; the exit code.
int audit_on_device(const DeviceAuditSettings& settings);

/// What a given mapping onto a device costs.
int evaluate_on_device(const MappingSettings& mapping, const DeviceSettings& device,
                       RowModel row_model, const OutputSettings& output);

}  // namespace pimbb::dram_pim::cli
