// The simplest problem that still shows a mistake.
//
// A problem is simplified by edits, tried in turn for as long as one of them helps: options back to
// their defaults, goals and levels dropped, bounds lowered, the architecture's features switched
// off. Every edit gives a simpler problem or the same, so this ends; and every problem on the way
// fails.
#pragma once

#include <functional>

#include "soak/problem.hpp"

namespace soak {

/// What `fails` says of the problem returned as it does of the one given, which it must be true of.
Problem shrink(Problem problem, const std::function<bool(const Problem&)>& fails);

}  // namespace soak
