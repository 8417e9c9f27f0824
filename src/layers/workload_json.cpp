// Bounds, strides and weight, exactly.
#include "layers/workload_json.hpp"

namespace pimbb::layers {

namespace {

/// A rational that was read from a decimal, as a decimal.
std::string decimal(Rational value) {
  std::size_t places = 0;
  for (; !value.is_integer(); ++places) value *= 10;
  std::string digits = value.to_string();
  if (places == 0) return digits;
  if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
  return digits.insert(digits.size() - places, ".");
}

files::Json growth_json(const Growth& growth) {
  if (growth.relative) return decimal(growth.amount) + "%";
  return files::exact_number(growth.amount);
}

files::Json padding_json(const Padding& padding) {
  if (padding.single_group) return growth_json(padding.growth.front());
  files::Json json = files::Json::object();
  for (const Dim d : kAllDims) {
    const Growth& growth = padding.growth[index(d)];
    if (growth.amount.sign() > 0) json[std::string(name(d))] = growth_json(growth);
  }
  return json;
}

}  // namespace

files::Json workload_json(const Workload& w) {
  files::Json json = files::Json::object();
  json["name"] = w.name;
  for (const Dim d : kAllDims) json[std::string(name(d))] = w.bound(d);
  json["stride"] = {w.stride_w, w.stride_h};
  json["dilation"] = {w.dilation_w, w.dilation_h};
  if (w.input_plane) json["input"] = {w.input_plane->width, w.input_plane->height};
  json["weight"] = files::exact_number(w.weight);
  if (w.padding) json["pad"] = padding_json(*w.padding);
  if (w.moves) {
    json["moves"] = files::Json::array();
    for (const Tensor t : kAllTensors) {
      if ((*w.moves)[index(t)]) json["moves"].push_back(std::string(name(t)));
    }
  }
  return json;
}

}  // namespace pimbb::layers
