// Changes of an architecture document from the command line: --set KEY=VALUE.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "files/document.hpp"
#include "pimbb/rational.hpp"

namespace pimbb::files {

/// Sets each "levels.GlobalBuffer.entries=256" in a document whose architecture may be the value of
/// the key `wrapper`; `levels` stands for the list of memory levels, whose key is `list`. Throws
/// InputError, with `example` of a change, if one is malformed. Before any value is read.
void change(Document& document, const std::vector<std::string>& changes, std::string_view example,
            std::string_view wrapper = "architecture", std::string_view list = "memory_hierarchy");

/// The number that stands at a path as in a change; nothing if there is none.
std::optional<Rational> number_at(const Document& document, const std::string& path,
                                  std::string_view wrapper = "architecture",
                                  std::string_view list = "memory_hierarchy");

/// A changed machine is not called as the one in the file is: " with a=1, b=2", or nothing if a
/// name was set.
std::string name_of_changes(const std::vector<std::string>& changes);

}  // namespace pimbb::files
