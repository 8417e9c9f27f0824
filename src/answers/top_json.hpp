// The counts of the best classes in documents, of any kind of accelerator.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "files/json_text.hpp"
#include "pimbb/top.hpp"

namespace pimbb::answers {

/// "k", or "within" and "most".
files::Json top_range_json(const TopRange& range);
/// Adds "optimal", "tied" and, if it was asked for, "within".
void add_class_counts(files::Json& json, const ClassCount& optimal, std::uint64_t tied,
                      const std::optional<ClassCount>& within);
/// The same where counting may end before everything is counted: with "all", and null for what was
/// not counted.
void add_class_totals(files::Json& json, const std::optional<ClassTotal>& optimal,
                      const ClassTotal& tied, const std::optional<ClassTotal>& within);
/// Adds "bound" as a double, and exactly.
void add_top_bound(files::Json& json, const Rational& bound);
/// Rank, from 0, values of goals by name, number of mappings and text of a class.
files::Json class_json(std::size_t rank, const std::vector<std::string>& goals,
                       const std::vector<Rational>& values, const std::optional<Rational>& mappings,
                       const std::string& text);

}  // namespace pimbb::answers
