// What may be asked of the best classes, of any kind of accelerator.
#pragma once

#include "pimbb/error.hpp"
#include "pimbb/top.hpp"

namespace pimbb::answers {

/// Throws InputError unless a class is listed and the percentage is not negative.
inline void validate(const TopRange& range) {
  if (range.most == 0) throw InputError("top: found 0 classes to list, allowed are 1 and more");
  if (range.within && range.within->sign() < 0) {
    throw InputError("top: found a negative percentage of the optimum, allowed are 0 and more");
  }
}

}  // namespace pimbb::answers
