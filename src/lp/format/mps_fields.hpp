// The fields of a line of MPS: between blanks, or at the columns of punched cards.
#pragma once

#include <string_view>
#include <vector>

namespace pimbb::lp {

/// Never empty themselves; they refer to the line.
using MpsFields = std::vector<std::string_view>;

bool is_mps_blank(char c);

MpsFields mps_free_fields(std::string_view line);
/// Columns 2-3, 5-12, 15-22, 25-36, 40-47, 50-61 (the first being 1), blanks around them cut off.
MpsFields mps_fixed_fields(std::string_view line);
/// The first text between those columns, or that runs on from the last one's end: to cut it off
/// would change a name or a number. Text from column 63 on is a comment. Empty: there is none.
std::string_view mps_beside_fixed_fields(std::string_view line);

}  // namespace pimbb::lp
