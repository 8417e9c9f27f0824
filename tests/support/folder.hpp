// Temporary directories.
#pragma once

#include <string>
#include <string_view>

namespace texts {

/// A directory of its own for every test that writes, gone afterwards.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] std::string path(std::string_view file) const {
    return folder_ + "/" + std::string(file);
  }
  /// Writes a file into the folder and returns its path.
  std::string write(std::string_view file, std::string_view text) const;

 private:
  std::string folder_;
};

}  // namespace texts
