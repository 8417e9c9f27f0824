// What every command on a network checks before it solves the first layer.
#include "pimbb/network.hpp"

#include "pimbb/error.hpp"

namespace pimbb {

void validate(const Network& network) {
  if (network.layers.empty()) {
    throw InputError("network '" + network.name + "': found no layers, at least one is required");
  }
  for (const NetworkLayer& layer : network.layers) {
    validate(layer.workload);
    if (layer.repetitions < 1) {
      throw InputError("layer '" + layer.workload.name + "': repetitions: found " +
                       std::to_string(layer.repetitions) + ", allowed are integers >= 1");
    }
  }
}

}  // namespace pimbb
