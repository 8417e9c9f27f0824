// A text and where it comes from: a file, or a preset embedded in the library (presets.hpp).
#pragma once

#include <cstddef>
#include <map>
#include <string>

namespace pimbb::files {

struct Source {
  std::string label;  ///< how messages name it
  std::string text;
};

/// Reads a whole file. Throws InputError if it is missing, a directory, unreadable or has more than
/// `largest` bytes.
Source load_file(const std::string& path, std::size_t largest = std::size_t{64} << 20);

/// The same for a file that is read again. The text of a pipe, which can be read only once, is kept
/// for the next load_file() of the same path.
Source peek_file(const std::string& path);

/// Whether something of this name exists in the file system, or among the texts given in place of
/// files.
bool path_exists(const std::string& path);

/// Texts in place of files while this object exists, for its thread: what is read by one of their
/// names is the text. For callers that hold data and no files (src/python). Objects do not nest.
class GivenTexts {
 public:
  explicit GivenTexts(std::map<std::string, std::string> by_name);
  ~GivenTexts();
  GivenTexts(const GivenTexts&) = delete;
  GivenTexts& operator=(const GivenTexts&) = delete;

 private:
  std::map<std::string, std::string> by_name_;
};

}  // namespace pimbb::files
