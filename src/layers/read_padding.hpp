// The key `pad` of a layer or of a network: a number, a text such as "12.5%", or a map of them.
#pragma once

#include <optional>
#include <string_view>

#include "files/value.hpp"
#include "pimbb/padding.hpp"

namespace pimbb::layers {

/// "2" or "12.5%"; nothing for other texts.
std::optional<Growth> parse_growth(std::string_view text);

Padding read_padding(const files::Value& value);

}  // namespace pimbb::layers
