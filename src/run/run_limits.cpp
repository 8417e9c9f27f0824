// Progress in one number.
#include "pimbb/run_limits.hpp"

#include <algorithm>

namespace pimbb {

double Progress::gap() const {
  if (!incumbent || *incumbent <= 0) return 0;
  return std::max(0.0, (*incumbent - bound) / *incumbent);
}

}  // namespace pimbb
