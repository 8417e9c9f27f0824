// SHA-256 (FIPS 180-4), by which a proof refers to its problem.
#pragma once

#include <string>
#include <string_view>

namespace pimbb::files {

/// The digest of `text` in 64 lower-case hexadecimal digits.
std::string sha256(std::string_view text);

}  // namespace pimbb::files
