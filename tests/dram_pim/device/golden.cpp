// Reading golden lines by the library's readers for devices, and by hand for the rest.
#include "dram_pim/device/golden.hpp"

#include <cmath>

#include "pimbb/dram_pim/io.hpp"
#include "pimbb/io.hpp"
#include "support/plain_json.hpp"

namespace golden {

using namespace pimbb;
using namespace pimbb::dram_pim;

Rational number_of(const Json& value) {
  return Rational::parse(value.is_string() ? value.get<std::string>() : value.dump());
}

bool same(const Rational& value, const Json& expected) {
  const Rational wanted = number_of(expected);
  const double distance = (value - wanted).to_double();
  return std::abs(distance) <= 1e-9 * std::max(1.0, std::abs(wanted.to_double()));
}

Device device_of(const Json& line, const std::filesystem::path& folder) {
  if (!line.contains("device")) {
    Device device;
    device.unit = read_architecture(
        (folder / "units" / (line.at("architecture").get<std::string>() + ".yaml")).string());
    return device;
  }
  const Json& device = line.at("device");
  if (device.is_string()) {
    return read_device((folder / "devices" / (device.get<std::string>() + ".json")).string());
  }
  return parse_device(device.dump(), "golden");
}

std::vector<Json> layers_of(const Json& line) {
  if (line.contains("layer")) return {line.at("layer")};
  return line.at("network").get<std::vector<Json>>();
}

std::vector<Json> witnesses_of(const Json& line) {
  if (!line.contains("witness") || line.at("witness").is_null()) return {};
  const Json& witness = line.at("witness");
  return witness.is_array() ? witness.get<std::vector<Json>>() : std::vector<Json>{witness};
}

std::vector<Json> optimum_of(const Json& line) {
  if (line.at("optimum").is_null()) return {};
  return line.at("optimum").get<std::vector<Json>>();
}

/// A text, a number, or a map of either.
std::string padding_text(const Json& pad) {
  if (pad.is_string()) return pad.get<std::string>();
  if (!pad.is_object()) return pad.dump();
  std::string text;
  for (const auto& [dim, growth] : pad.items()) {
    text += (text.empty() ? "" : ",") + dim + "=" + padding_text(growth);
  }
  return text;
}

DeviceProblem problem_of(const Json& line, const Json& layer, Device device) {
  DeviceProblem p;
  p.device = std::move(device);
  if (layer.is_string()) {
    p.layer = read_workload(layer.get<std::string>());
  } else {
    p.layer = testkit::read_workload(testkit::Json::parse(layer.dump()));
  }
  if (line.contains("pad")) p.layer.padding = Padding::parse(padding_text(line.at("pad")), "pad");
  if (line.contains("moves")) {
    p.moves = {};
    for (const Json& tensor : line.at("moves")) {
      for (const Tensor t : kAllTensors) {
        if (name(t) == tensor.get<std::string>()) p.moves[index(t)] = true;
      }
    }
  }
  p.objective = Objective::parse(line.at("objective").get<std::string>());
  if (line.contains("alpha")) p.objective.alpha = number_of(line.at("alpha"));
  if (line.contains("beta")) p.objective.beta = number_of(line.at("beta"));
  p.row_model = testkit::read_row_model(line.at("row_model"));
  return p;
}

Split split_of(const Json& witness, std::size_t levels) {
  Split split(levels, kOnes);
  if (!witness.contains("split")) return split;
  for (std::size_t d = 0; d < levels; ++d) {
    for (const Dim j : kAllDims) {
      split[d][index(j)] = witness.at("split").at(d).value(std::string(name(j)), std::int64_t{1});
    }
  }
  return split;
}

}  // namespace golden
