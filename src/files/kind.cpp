// One key of an architecture document, read before all others.
#include "files/kind.hpp"

namespace pimbb::files {

Kind read_kind(const Value& architecture) {
  if (architecture.has(kCrossbarKey)) return Kind::crossbar;
  const std::optional<Value> kind = architecture.get("kind");
  return kind ? static_cast<Kind>(kind->choice(kKindNames)) : Kind::dram_pim;
}

}  // namespace pimbb::files
