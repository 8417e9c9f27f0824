// SHA-256 after FIPS 180-4.
#pragma once

#include <string>

namespace pimbb_check {

/// 64 lower-case hexadecimal digits.
std::string sha256(std::string text);

}  // namespace pimbb_check
