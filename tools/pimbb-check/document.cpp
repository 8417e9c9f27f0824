// Heads of documents.
#include "document.hpp"

#include "sha256.hpp"

namespace pimbb_check {

std::string read_instance(Lines& lines, const std::optional<std::string>& instance) {
  const std::string hash = lines.field("sha256");
  std::string text = lines.field("instance");
  require(sha256(text) == hash, "the instance has another hash");
  require(!instance || *instance == text, "the proof is about another instance");
  return text;
}

void read_points(Lines& lines, const std::function<void(const std::string& mapping)>& read_point) {
  const std::string text = lines.field("points");
  const char* at = text.c_str();
  const std::int64_t count = plain_number(at);
  require(*at == '\0', "a number of points is wanted here");
  for (std::int64_t k = 0; k < count; ++k) read_point(lines.field("mapping"));
}

std::string front_claim(const std::vector<std::string>& axes, std::size_t points) {
  std::string claim = "front of ";
  for (std::size_t k = 0; k < axes.size(); ++k) claim += (k == 0 ? "" : ", ") + axes[k];
  return claim + ": " + std::to_string(points) + (points == 1 ? " point" : " points") +
         (points == 0 ? ", infeasible" : "");
}

}  // namespace pimbb_check
