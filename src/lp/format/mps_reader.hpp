// MPS, the oldest and commonest file format of linear programs.
//
//     NAME          TINY              Sections start in column 1, their data further right.
//     ROWS                            The first N row is the objective; others are free rows.
//      N  COST
//      L  LIM                         Bounds are 0 .. infinity unless BOUNDS says otherwise:
//     COLUMNS                          LO UP FX FR MI PL, and BV LI UI for integers.
//         X      COST  1.  LIM  1.    UP below 0 on a column without a lower bound of its own
//     RHS                              takes the lower bound 0 away, as everywhere.
//         RHS    LIM   4.             A RHS of the objective is *subtracted*: with 3 there,
//     BOUNDS                           the objective is c x - 3.
//      UP BND    X     2.             RANGES: R on an L row makes rhs-|R| .. rhs, on a G row
//     ENDATA                           rhs .. rhs+|R|, on an E row from rhs towards the sign of R.
//
// Free MPS has fields between blanks, fixed MPS in columns 2, 5, 15, 25, 40, 50. Names with blanks
// only work in the latter: what is not understood as free is read as fixed. Further: OBJSENSE,
// integer markers (an integer column without bounds is 0 .. infinity, too), comment lines starting
// with '*'. Refused with a reason: semi-continuous bounds, quadratic and other sections, a
// second RHS, RANGES or BOUNDS set, coefficients given twice.
#pragma once

#include <string>
#include <string_view>

#include "lp/format/mixed_integer_program.hpp"

namespace pimbb::lp {

/// `label` stands for the file name in messages.
MixedIntegerProgram parse_mps(std::string_view text, const std::string& label);

}  // namespace pimbb::lp
