// Bounds, strides and weight, exactly.
#include "layers/workload_json.hpp"

namespace pimbb::layers {

files::Json workload_json(const Workload& w) {
  files::Json json = files::Json::object();
  json["name"] = w.name;
  for (const Dim d : kAllDims) json[std::string(name(d))] = w.bound(d);
  json["stride"] = {w.stride_w, w.stride_h};
  json["dilation"] = {w.dilation_w, w.dilation_h};
  if (w.input_plane) json["input"] = {w.input_plane->width, w.input_plane->height};
  json["weight"] = files::exact_number(w.weight);
  return json;
}

}  // namespace pimbb::layers
