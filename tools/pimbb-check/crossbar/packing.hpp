// A packing that is refuted: no cores hold these array groups within their crossbars and nodes, and
// within a deadline if there is one.
//
// Cores are filled one after the other. Some core holds an array group of the first node that is
// left: this is the next one. Fewer array groups never take more room or time, so the next core may
// take as much as possible: each content to which nothing can be added is followed, in a fixed
// order, and what it leaves is refuted by the next record.
//
//   r      what is left needs more crossbars than the cores that are left have
//   t      what is left takes more time than the cores that are left have before the deadline
//   d K    the same was left for as many cores in state K of this packing, which is refuted
//   c      the contents of the next core follow, one after the other; this state gets a number
#pragma once

#include <optional>

#include "../lines.hpp"
#include "problem.hpp"

namespace pimbb_check::crossbar {

struct PackingWork {
  std::uint64_t states = 0, contents = 0;
};

/// By family: array groups of so many replicas, with the cycles of as many or more. If they have no
/// packing, no replication between both has one: it has no fewer of either.
struct ToPack {
  const Counts& replicas;
  const Counts& cycles_of;
};

/// Reads the records and checks them.
void follow_packing(const Problem& p, const ToPack& what, std::optional<std::int64_t> deadline,
                    Lines& lines, PackingWork& work);

}  // namespace pimbb_check::crossbar
