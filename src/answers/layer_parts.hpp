// The networks of a space where every layer is mapped by itself: one part for each distinct layer.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "answers/explorable.hpp"
#include "pimbb/network.hpp"

namespace pimbb::answers {

class LayerParts {
 public:
  /// Merges equal layers of the networks.
  explicit LayerParts(const std::vector<Network>& networks);

  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] const Network& network(std::size_t number) const { return networks_[number]; }
  [[nodiscard]] const Workload& layer(std::size_t network, std::size_t part) const {
    return networks_[network].layers[part].workload;
  }
  [[nodiscard]] const std::vector<NetworkPart>& parts(std::size_t network) const {
    return parts_[network];
  }

 private:
  std::vector<Network> networks_;
  std::vector<std::vector<NetworkPart>> parts_;
};

}  // namespace pimbb::answers
