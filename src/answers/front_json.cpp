// Boxes by the names of their axes.
#include "answers/front_json.hpp"

namespace pimbb::answers {

files::Json open_json(std::span<const std::string> axes, std::span<const FrontBox> open) {
  files::Json boxes = files::Json::array();
  for (const FrontBox& box : open) {
    files::Json json = {{"from", files::Json::object()}, {"below", files::Json::object()}};
    for (std::size_t k = 0; k < axes.size(); ++k) {
      json["from"][axes[k]] = box.from[k].to_string();
      json["below"][axes[k]] = nullptr;
      if (box.below[k]) json["below"][axes[k]] = box.below[k]->to_string();
    }
    boxes.push_back(std::move(json));
  }
  return boxes;
}

}  // namespace pimbb::answers
