// Precompiled for every file of src/ in builds that are not unity builds (tools/dev): a second less
// a file. Only headers of the standard library and {fmt}, which do not change; the files include
// what they use all the same, which clang-tidy checks by compiling them without this one.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cmath>
#include <compare>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <sstream>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>
