// Limits on goals, as documents of all kinds tell them.
#pragma once

#include <string>

#include "files/json_text.hpp"

namespace pimbb::answers {

/// `caps`: of a kind's goals, each with a name.
template <class Caps>
void add_limits(files::Json& json, const Caps& caps) {
  files::add_list(json, "at_most", caps, [](const auto& cap) {
    files::Json limit = files::Json::object();
    limit["name"] = std::string(name(cap.goal));
    limit["value"] = files::exact_number(cap.most);
    return limit;
  });
}

}  // namespace pimbb::answers
