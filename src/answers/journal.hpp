// The journal of an exploration: what was solved, line by line, for a run that goes on later.
//
//     pimbb-journal/1 SPACE CHECKSUM           SPACE: the hash of what is explored
//     KEY STATUS NODES BOUND COST... CHECKSUM  one answered search; KEY: the hash of its problem
//
// A checksum is the beginning of the SHA-256 of the line before it. Lines are appended and synced
// to the disk before they count. A process that is killed leaves a torn line at the end at most;
// what follows the first line that is not whole is cut off when the journal is opened again, and is
// solved again. One process at a time has a journal: it holds a lock.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "answers/explorable.hpp"

namespace pimbb::answers {

/// An answer in one line: KEY STATUS NODES BOUND COST...
std::string answer_line(const std::string& key, const PartAnswer& answer);

struct KeyedAnswer {
  std::string key;
  PartAnswer answer;
};
/// The same read; nothing if it is no such line, to the last character.
std::optional<KeyedAnswer> parse_answer_line(const std::string& line);

class Journal {
 public:
  using Answers = std::unordered_map<std::string, PartAnswer>;  ///< by key

  /// Opens or begins the journal of the space with the hash `space`. Throws InputError if it exists
  /// and is not to be resumed, is of another space, in use, or cannot be written.
  Journal(const std::string& path, bool resume, const std::string& space);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// What it had when it was opened.
  [[nodiscard]] const Answers& answers() const { return answers_; }
  /// Lines at its end that were not whole.
  [[nodiscard]] std::size_t torn() const { return torn_; }

  /// Appends lines, which are on the disk when this returns. Throws InputError if it cannot.
  struct Entry {
    std::string key;
    const PartAnswer* answer;
  };
  void append(const std::vector<Entry>& entries);

 private:
  void read(const std::string& text, const std::string& space);
  void write(const std::string& text);
  [[noreturn]] void refuse(const std::string& what) const;

  std::string path_;
  int file_ = -1;
  Answers answers_;
  std::size_t torn_ = 0;
  std::size_t whole_ = 0;  // bytes up to the first line that is not whole
};

}  // namespace pimbb::answers
