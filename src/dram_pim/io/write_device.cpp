// The pimbb-device/1 document: how a layer is split over a device, what that costs, and the mapping
// of a slice as a pimbb-mapping/1 document inside.
#include <algorithm>

#include "dram_pim/io/device_json.hpp"
#include "dram_pim/io/formats.hpp"
#include "dram_pim/io/network_json.hpp"
#include "dram_pim/io/result_json.hpp"
#include "layers/workload_json.hpp"
#include "pimbb/dram_pim/io.hpp"

namespace pimbb::dram_pim {
namespace {

files::Json split_json(const Device& device, const Split& split) {
  files::Json list = files::Json::array();
  for (std::size_t d = 0; d < split.size(); ++d) {
    files::Json level = files::Json::object();
    level["level"] = device.levels[d].name;
    level["factors"] = files::Json::object();
    for (const Dim j : kAllDims) {
      const std::int64_t factor = split[d][index(j)];
      if (factor > 1) level["factors"][std::string(name(j))] = factor;
    }
    list.push_back(std::move(level));
  }
  return list;
}

files::Json bounds_json(const Factors& bounds) {
  files::Json json = files::Json::object();
  for (const Dim j : kAllDims) {
    if (j == Dim::G && bounds[index(j)] == 1) continue;
    json[std::string(name(j))] = bounds[index(j)];
  }
  return json;
}

/// The dimensions whose blocks are larger than the split demands.
files::Json padded_json(const Workload& layer, const DeviceMapping& mapping) {
  const Factors least = least_slice(layer.bounds, mapping.split);
  files::Json json = files::Json::object();
  for (const Dim j : kAllDims) {
    const std::int64_t bound = mapping.slice[index(j)];
    if (bound > least[index(j)]) json[std::string(name(j))] = bound;
  }
  return json;
}

files::Json moves_json(const Moves& moves) {
  files::Json list = files::Json::array();
  for (const Tensor t : kAllTensors) {
    if (moves[index(t)]) list.push_back(name(t));
  }
  return list;
}

files::Json links_json(const Device& device, const SplitCost& cost) {
  files::Json list = files::Json::array();
  for (std::size_t d = 0; d < cost.links.size(); ++d) {
    files::Json link = files::Json::object();
    link["level"] = device.levels[d].name;
    link["count"] = cost.links[d].count;
    link["bytes_in"] = files::exact_number(cost.links[d].bytes_in);
    link["bytes_out"] = files::exact_number(cost.links[d].bytes_out);
    list.push_back(std::move(link));
  }
  return list;
}

files::Json device_metrics_json(const Device& device, const DeviceMetrics& m) {
  io::Figures figures;
  figures.add("latency", m.latency);
  if (device.cycle) figures.add("latency_ns", m.latency * *device.cycle);
  figures.add("energy", m.energy);
  figures.add("activations", m.activations);
  figures.add("launch_cycles", m.launch);
  figures.add("in_cycles", m.split.in);
  figures.add("run_cycles", m.run);
  figures.add("out_cycles", m.split.out);
  figures.add("link_energy", m.split.link_energy);
  figures.add("reduce_energy", m.split.reduce_energy);
  figures.add("macs", m.macs);
  figures.add("performed_macs", m.performed_macs);
  files::Json json = figures.numbers;
  json["units"] = m.split.units;
  json["links"] = links_json(device, m.split);
  json["exact"] = std::move(figures.exact);
  return json;
}

/// What a search and an evaluation have in common.
void add_device_mapping(files::Json& json, const Device& device, const Workload& layer,
                        const Moves& moves, RowModel row_model, const DeviceMapping& mapping,
                        const DeviceMetrics& metrics) {
  const Workload slice = slice_of(layer, mapping.slice);
  json["split"] = split_json(device, mapping.split);
  json["slice"] = bounds_json(mapping.slice);
  json["padded"] = padded_json(layer, mapping);
  json["moves"] = moves_json(moves);
  json["metrics"] = device_metrics_json(device, metrics);
  json["mapping"] =
      io::evaluation_document(device.unit, slice, row_model, mapping.mapping, metrics.slice);
}

files::Json device_stats_json(const DeviceSolution& solution, const RunLimits& limits) {
  files::Json stats = files::Json::object();
  stats["splits"] = solution.splits;
  stats["slices"] = solution.slices;
  stats["slices_solved"] = solution.slices_solved;
  stats.update(io::stats_json(solution, solution.seconds, solution.threads, limits.timeless));
  return stats;
}

files::Json device_document(const Device& device, const Workload& layer, const Moves& moves,
                            const Question& question, const RunLimits& limits,
                            const DeviceSolution& solution) {
  files::Json json = files::Json::object();
  const Solution claim = solution.claim();
  json["format"] = io::kDeviceFormat;
  json["device"] = device.name;
  json["layer"] = layer.name;
  json["status"] = name(solution.status);
  json["objective"] = io::objective_json(question, claim);
  if (!solution.mapping) json["reason"] = io::reason_of(claim);
  if (solution.mapping) {
    add_device_mapping(json, device, layer, moves, question.row_model, *solution.mapping,
                       *solution.metrics);
  }
  if (!device.warnings.empty()) json["warnings"] = device.warnings;
  json["workload"] = layers::workload_json(layer);
  json["stats"] = device_stats_json(solution, limits);
  return json;
}

/// Tensors between layers that stay in the units, by the nodes that write and read them.
files::Json staying_json(const Device& device, const Network& network,
                         const DeviceNetworkSolution& solution) {
  files::Json tensors = files::Json::array();
  Rational saved;
  for (const StayingTensor& tensor : solution.staying) {
    files::Json each = files::Json::object();
    each["writer"] = network.graph->nodes[tensor.writer].name;
    each["reader"] = network.graph->nodes[tensor.reader].name;
    each["split"] = split_json(device, tensor.split);
    each["slice"] = bounds_json(tensor.slice);
    each["saved_bytes"] = files::exact_number(tensor.saved_bytes);
    tensors.push_back(std::move(each));
    saved += tensor.saved_bytes;
  }
  files::Json json = files::Json::object();
  json["may_stay"] = solution.may_stay;
  json["saved_bytes"] = files::exact_number(saved);
  json["tensors"] = std::move(tensors);
  return json;
}

}  // namespace

std::string device_solution_json(const Device& device, const Workload& layer, const Moves& moves,
                                 const Question& question, const RunLimits& limits,
                                 const DeviceSolution& solution) {
  return files::to_text(device_document(device, layer, moves, question, limits, solution));
}

std::string device_network_json(const Device& device, const Network& network,
                                const Question& question, const RunLimits& limits,
                                const DeviceNetworkSolution& solution) {
  int threads = 1;
  files::Json layers = files::Json::array();
  std::vector<std::string> left_out;
  for (const DeviceLayerSolution& layer : solution.layers) {
    Question own = question;
    own.objective = layer.objective;
    layers.push_back(io::counted_layer(
        device_document(device, layer.workload, layer.moves, own, limits, layer.solution),
        layer.repetitions, layer.workload.weight));
    if (!layer.solution.mapping) left_out.push_back(layer.workload.name);
    threads = std::max(threads, layer.solution.threads);
  }
  files::Json json = files::Json::object();
  json["format"] = io::kNetworkFormat;
  json["name"] = network.name;
  json["device"] = device.name;
  json["objective"] = question.objective.to_string();
  json["row_model"] = name(question.row_model);
  json["method"] = name(question.method);
  if (question.constraints.any()) {
    json["constraints"] = io::constraints_json(device.unit, question.constraints);
  }
  if (network.moves_auto) json["moves"] = "auto";
  json["status"] = kStatusNames[static_cast<std::size_t>(solution.status)];
  if (!solution.reason.empty()) json["reason"] = solution.reason;
  json["layers"] = std::move(layers);
  io::add_nodes(json, device.unit, network);
  json["totals"] = io::totals_json(network, solution.totals, solution.goals, left_out);
  if (solution.bank) {
    json["bank"] = {{"weight_bytes", solution.bank->weights},
                    {"io_bytes", solution.bank->io},
                    {"capacity", solution.bank->capacity}};
  }
  if (solution.handover == Handover::stay) json["stay"] = staying_json(device, network, solution);
  json["stats"] = io::stats_json(solution.effort, solution.seconds, threads, limits.timeless);
  if (!device.warnings.empty()) json["warnings"] = device.warnings;
  return files::to_text(json);
}

std::string device_audit_json(const Device& device, const Workload& layer, const Moves& moves,
                              const Question& question, const RunLimits& limits,
                              const DeviceMapping& mapping, const DeviceAudit& audit) {
  files::Json json = files::Json::object();
  json["format"] = io::kDeviceAuditFormat;
  json["device"] = device.name;
  json["layer"] = layer.name;
  json["objective"] = question.objective.to_string();
  json["row_model"] = name(question.row_model);
  io::add_distance(json, audit);
  const auto part = [&](const DeviceMapping& of, const DeviceMetrics& metrics) {
    files::Json each = files::Json::object();
    add_device_mapping(each, device, layer, moves, question.row_model, of, metrics);
    return each;
  };
  json["given"] = part(mapping, audit.metrics);
  if (audit.solution.mapping) json["best"] = part(*audit.solution.mapping, *audit.solution.metrics);
  json["workload"] = layers::workload_json(layer);
  json["stats"] = device_stats_json(audit.solution, limits);
  if (!device.warnings.empty()) json["warnings"] = device.warnings;
  return files::to_text(json);
}

files::Json io::device_evaluation_document(const Device& device, const Workload& layer,
                                           const Moves& moves, RowModel row_model,
                                           const DeviceMapping& mapping,
                                           const DeviceMetrics& metrics) {
  files::Json json = files::Json::object();
  json["format"] = io::kDeviceFormat;
  json["device"] = device.name;
  json["layer"] = layer.name;
  json["row_model"] = name(row_model);
  add_device_mapping(json, device, layer, moves, row_model, mapping, metrics);
  if (!device.warnings.empty()) json["warnings"] = device.warnings;
  json["workload"] = layers::workload_json(layer);
  return json;
}

std::string device_evaluation_json(const Device& device, const Workload& layer, const Moves& moves,
                                   RowModel row_model, const DeviceMapping& mapping,
                                   const DeviceMetrics& metrics) {
  return files::to_text(
      io::device_evaluation_document(device, layer, moves, row_model, mapping, metrics));
}

}  // namespace pimbb::dram_pim
