// Words of the LP format: numbers, names, signs, relations, keywords, each with its line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pimbb::lp {

enum class LpWord {
  minimise,
  maximise,
  subject_to,
  bounds,
  integers,
  binaries,
  end,
  number,
  name,
  plus,
  minus,
  colon,
  at_most,
  at_least,
  equal,
  end_of_file,
};

struct LpToken {
  LpWord word = LpWord::end_of_file;
  std::string_view text;
  int line = 0;
};

/// All words of a text, the last being end_of_file. Throws InputError on a character or a section
/// that has no place in a linear program.
std::vector<LpToken> lp_tokens(std::string_view text, const std::string& label);

/// Whether a text is one name of the LP format wherever it stands, even first on its line.
bool is_lp_name(std::string_view text);

}  // namespace pimbb::lp
