// Record by record, as the checker wants them.
#include "support/grow_trees.hpp"

namespace testkit {
namespace {

using pimbb_check::Checker;
using pimbb_check::Record;
using pimbb_check::Wanted;

void grow_record(Checker& checker, const Wanted& next) {
  if (next.kind == Wanted::order) return checker.ordered(next.name);
  if (next.kind == Wanted::storage) {
    for (std::size_t level = 0; level < 12; ++level) {
      if (checker.grants_overflow(level)) return checker.overflow(next.name, level);
    }
    return checker.storage(next.name);
  }
  for (const Record reason : {Record::bound, Record::cap, Record::evaluated}) {
    if (checker.grants(reason)) return checker.node(reason, next.tile, next.loops);
  }
  checker.node(Record::inner, next.tile, next.loops);
}

}  // namespace

pimbb_check::Report grow_trees(const std::string& instance, const pimbb_check::Whole& whole) {
  Checker checker;
  checker.part(instance, whole);
  checker.thresholds({"20", "40", "80", "160", "inf"});
  for (Wanted next = checker.wanted(); next.kind != Wanted::other; next = checker.wanted()) {
    grow_record(checker, next);
  }
  checker.end();
  return checker.report();
}

}  // namespace testkit
