// How far a mapping stays the one of least `ht` while a time of the accelerator changes.
//
// A core's time is a sum over cycles of the greater of t_mvm and n * t_int, and `ht` the greatest
// of all cores: for each mapping a convex, piecewise linear curve of each of the two times, at
// first constant or proportional, at last the other. Where today's curve is constant, or
// proportional, answers/stay.hpp decides whole intervals. In between a curve may dip below today's
// anywhere: there each whole number of ns is asked for, because files hold no others.
#pragma once

#include <memory>
#include <vector>

#include "answers/stay.hpp"
#include "pimbb/crossbar/mapping.hpp"

namespace pimbb::crossbar::within {

enum class TimeFigure : std::uint8_t { time, interval };

/// `ht` of a mapping as a curve of a time, ns, all else as in the accelerator.
pimbb::answers::ValueCurve throughput_curve(const Architecture& architecture,
                                            const Partition& partition, const Mapping& mapping,
                                            TimeFigure figure);

/// How far up or down from `from`, where it is optimal, to `to`: for all values on the way where
/// the curve is constant or proportional, for all whole numbers otherwise. `open` after `most`
/// questions about single numbers.
StayEnd stay_in_whole_numbers(pimbb::answers::VariedProblem& problem, std::size_t solution,
                              std::int64_t from, std::int64_t to, int most);

}  // namespace pimbb::crossbar::within
