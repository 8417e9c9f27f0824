// The layers on which the micro-benchmarks run: presets, so that figures of different machines and
// versions compare.
#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "pimbb/dram_pim/io.hpp"

namespace pimbb::bench {

using namespace dram_pim;

struct Problem {
  Architecture architecture;
  Workload workload;
  std::string name;  ///< "simple_pim resnet18:conv2_x"
};

/// A 3 x 3 convolution, a strided one with many divisors, one with free bypass, a matrix product.
inline constexpr std::array<std::array<const char*, 2>, 4> kProblems{{
    {"simple_pim", "resnet18:conv2_x"},
    {"simple_pim", "resnet18:conv1"},
    {"hbm_pim", "resnet18:conv4_x"},
    {"default_pim", "bert_base:ffn_up"},
}};

inline Problem problem(std::size_t i) {
  const auto& [architecture, layer] = kProblems.at(i);
  return {read_architecture(architecture), read_workload(layer),
          std::string(architecture) + " " + layer};
}

}  // namespace pimbb::bench
