// rapidcheck generators of tiny problems. They shrink: towards fewer MACs, default fields, one
// goal.
#pragma once

#include <rapidcheck.h>

#include "support/instances.hpp"

namespace testkit {

inline rc::Gen<Instance> instances(const Size& size) {
  constexpr std::size_t kTape = 120;  // more choices than an instance needs
  return rc::gen::map(
      rc::gen::container<std::vector<std::uint32_t>>(
          kTape, rc::gen::resize(100, rc::gen::inRange<std::uint32_t>(0, Choices::kRange))),
      [size](std::vector<std::uint32_t> tape) {
        Choices choices(std::move(tape));
        return random_instance(choices, size);
      });
}

}  // namespace testkit
