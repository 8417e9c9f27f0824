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

}  // namespace pimbb::lp
