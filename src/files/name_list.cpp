// Lists of known names, separated by commas.
#include "files/name_list.hpp"

#include <algorithm>
#include <string>

#include "files/nearest.hpp"
#include "pimbb/error.hpp"

namespace pimbb::files {

std::vector<std::size_t> parse_names(std::string_view what, std::string_view text,
                                     std::span<const std::string_view> known) {
  std::vector<std::size_t> places;
  for (;;) {
    const auto comma = text.find(',');
    const std::string word(text.substr(0, comma));
    const auto found = std::ranges::find(known, word);
    if (found == known.end()) {
      throw InputError(std::string(what) + ": found '" + word + "'" + did_you_mean(word, known) +
                       ", allowed are " + join(known) + ", or several of them separated by commas");
    }
    const auto place = static_cast<std::size_t>(found - known.begin());
    if (std::ranges::find(places, place) != places.end()) {
      throw InputError(std::string(what) + ": found '" + word + "' twice, allowed is each once");
    }
    places.push_back(place);
    if (comma == std::string_view::npos) return places;
    text.remove_prefix(comma + 1);
  }
}

}  // namespace pimbb::files
