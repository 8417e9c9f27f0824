// The LP format: linear programs as one would write them.
//
//     \ a comment, to the end of the line          Minimize or Maximize (min, max, ...), perhaps
//     Maximize                                      with a constant
//      profit: 3 x + 2 y - 1                        Subject To (st, s.t., such that)
//     Subject To                                    Bounds: 0 .. infinity unless given; l <= x,
//      time: x + 4 y <= 24                            x <= u, l <= x <= u, x = v, x free
//      2 <= x - y <= 8                              General(s), Integer(s), Binary (-ies), which
//      cap: x + 1 >= 10                               are 0 .. 1
//     Bounds                                        End (may be missing)
//      -inf <= y <= 5
//     End                                          Keywords stand first on their line, in any case.
//
// Terms may repeat a variable; they add up. Right of a relation stands a number only, because lines
// may be broken anywhere. Variables are created when first named. Refused with a reason: quadratic
// terms, semi-continuous and SOS sections.
#pragma once

#include <string>
#include <string_view>

#include "lp/format/mixed_integer_program.hpp"

namespace pimbb::lp {

/// `label` stands for the file name in messages.
MixedIntegerProgram parse_lp_format(std::string_view text, const std::string& label);

}  // namespace pimbb::lp
