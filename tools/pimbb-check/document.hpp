// What documents of several formats have alike: the problem, and the points of a front.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lines.hpp"

namespace pimbb_check {

/// The text of the problem, whose hash stands before it; with `instance`, it must be just this one.
std::string read_instance(Lines& lines, const std::optional<std::string>& instance);

/// Reads as many mappings as the next line says.
void read_points(Lines& lines, const std::function<void(const std::string& mapping)>& read_point);

/// For people: what the proof of a front claims.
std::string front_claim(const std::vector<std::string>& axes, std::size_t points);

}  // namespace pimbb_check
