// An accelerator of a wing at one point of a space, with a text that says all but its name.
#pragma once

#include <string>
#include <utility>

#include "answers/explorable.hpp"

namespace pimbb::answers {

template <class Architecture>
class ChangedMachine final : public PointMachine {
 public:
  /// `text_of`: the text of an accelerator.
  template <class TextOf>
  ChangedMachine(Architecture architecture, const TextOf& text_of)
      : architecture_(std::move(architecture)) {
    Architecture nameless = architecture_;
    nameless.name.clear();
    text_ = text_of(nameless);
  }

  [[nodiscard]] const std::string& text() const override { return text_; }
  [[nodiscard]] const Architecture& architecture() const { return architecture_; }

 private:
  Architecture architecture_;
  std::string text_;
};

}  // namespace pimbb::answers
