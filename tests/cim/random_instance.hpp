// Tiny random accelerators and layers.
#pragma once

#include <cstdint>
#include <random>

#include "pimbb/cim.hpp"
#include "pimbb/workload.hpp"

namespace naive {

struct Instance {
  pimbb::cim::Architecture architecture;
  pimbb::Workload layer;
};

/// The instance of a seed; its layer has at most `products` iterations.
Instance random_instance(std::uint64_t seed, std::int64_t products);

}  // namespace naive
