// Facts that results of all kinds have: what was asked, the value, and whether it is proven.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/parts.hpp"

namespace pimbb::report {

/// "optimal" as a proven fact, everything else as an open one.
Fact status_fact(const std::string& status);

/// Value, bound and gap of one goal, an object with these keys and perhaps `exact`.
void add_goal(std::vector<Fact>& facts, const Value& goal, const std::string& name);

/// The facts of an `objective`: a goal, and those of `then`; or a list of goals.
void add_objective(std::vector<Fact>& facts, const Value& objective);

/// The shape of a layer: "R3 S3 P56 Q56 C64 K64".
std::string shape_of(const Value& workload);
/// MACs of a layer: the product of its bounds.
double macs_of(const Value& workload);

/// Adds a bar for each number of an object, or of the objects in it: {"PE": {"input": 3}, "mac":
/// 1}. Groups are the outer keys, parts the inner ones; `alone` names the part of a number.
void add_nested(Part& bars, const Value& numbers, const std::string& alone);

/// The largest array, or axis of macros.
inline constexpr std::int64_t kMostUnits = std::int64_t{1} << 40;
/// The product of unrolled factors, {"K": 8}; at most `size`.
std::int64_t unrolled(const Value& factors, std::int64_t size);
/// Bands of units that have the same index of an unrolled dimension, on a lane for each dimension;
/// `used` units. Dimensions of too many bands to be seen are left out.
void add_bands(Part& blocks, const std::string& panel, const Value& factors, std::int64_t used);

}  // namespace pimbb::report
