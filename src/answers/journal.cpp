// Lines with checksums in a locked file.
#include "answers/journal.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "files/sha256.hpp"
#include "pimbb/error.hpp"

namespace pimbb::answers {
namespace {

constexpr std::string_view kJournalFormat = "pimbb-journal/1";
constexpr std::size_t kChecksum = 16;  // hexadecimal digits

std::string with_checksum(std::string line) {
  const std::string hash = files::sha256(line);
  line += ' ';
  line.append(hash, 0, kChecksum);
  line += '\n';
  return line;
}

std::string head_of(const std::string& space) {
  std::string line(kJournalFormat);
  line += ' ';
  line += space;
  return with_checksum(std::move(line));
}

/// The line without its checksum; nothing if it is not whole.
std::optional<std::string> checked(std::string_view line) {
  if (line.size() <= kChecksum + 1 || line[line.size() - kChecksum - 1] != ' ') return std::nullopt;
  std::string body(line.substr(0, line.size() - kChecksum - 1));
  if (files::sha256(body).substr(0, kChecksum) != line.substr(line.size() - kChecksum)) {
    return std::nullopt;
  }
  return body;
}

std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words(1);
  for (const char c : line) {
    if (c == ' ') {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  return words;
}

std::string all_of(int file) {
  std::string text;
  std::string chunk(std::size_t{1} << 16, '\0');
  while (true) {
    const ssize_t got = ::read(file, chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;
    text.append(chunk, 0, static_cast<std::size_t>(got));
  }
}

}  // namespace

std::string answer_line(const std::string& key, const PartAnswer& answer) {
  std::string line = key + " " + std::string(name(answer.status)) + " " +
                     std::to_string(answer.nodes) + " " + answer.bound.to_string();
  for (const Rational& cost : answer.costs) line += " " + cost.to_string();
  return line;
}

std::optional<KeyedAnswer> parse_answer_line(const std::string& line) {
  const std::vector<std::string> words = words_of(line);
  if (words.size() < 4) return std::nullopt;
  KeyedAnswer keyed{words.front(), {}};
  PartAnswer& answer = keyed.answer;
  const auto* const status = std::ranges::find(kStatusNames, words[1]);
  if (status == kStatusNames.end()) return std::nullopt;
  answer.status = static_cast<Status>(status - kStatusNames.begin());
  const char* end = words[2].data() + words[2].size();
  const auto [stop, error] = std::from_chars(words[2].data(), end, answer.nodes);
  if (error != std::errc() || stop != end) return std::nullopt;
  try {
    answer.bound = Rational::parse(words[3]);
    for (std::size_t k = 4; k < words.size(); ++k) {
      answer.costs.push_back(Rational::parse(words[k]));
    }
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
  if (answer_line(keyed.key, answer) != line) return std::nullopt;
  return keyed;
}

Journal::Journal(const std::string& path, bool resume, const std::string& space) : path_(path) {
  file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file_ < 0) refuse(std::string("the file cannot be opened: ") + std::strerror(errno));
  if (::flock(file_, LOCK_EX | LOCK_NB) != 0) {
    ::close(file_);
    refuse("found a journal that another process writes, allowed is one process");
  }
  const std::string text = all_of(file_);
  try {
    if (!text.empty() && !resume) {
      refuse("found a file that exists, allowed are new ones; --resume goes on with a journal");
    }
    read(text, space);
    if (::ftruncate(file_, static_cast<off_t>(whole_)) != 0 || ::lseek(file_, 0, SEEK_END) < 0) {
      refuse(std::string("the file cannot be written: ") + std::strerror(errno));
    }
    if (whole_ == 0) write(head_of(space));
  } catch (...) {
    ::close(file_);
    throw;
  }
}

Journal::~Journal() { ::close(file_); }

void Journal::read(const std::string& text, const std::string& space) {
  std::size_t begin = 0;
  for (std::size_t number = 1; begin < text.size(); ++number) {
    const std::size_t end = text.find('\n', begin);
    std::optional<std::string> line;
    if (end != std::string::npos) {
      line = checked(std::string_view(text).substr(begin, end - begin));
    }
    if (number == 1) {
      // A head that is torn is the beginning of a head; anything else is no journal of ours.
      const std::string head = head_of(space);
      const bool is_journal = line && line->starts_with(kJournalFormat);
      if (is_journal && head != text.substr(0, end + 1)) {
        refuse("found the journal of another space, allowed is that of this one");
      }
      if (!is_journal && !head.starts_with(text)) {
        refuse("found no journal in its first line, allowed are files of pimbb explore");
      }
    }
    if (!line) break;
    if (number > 1) {
      std::optional<KeyedAnswer> keyed = parse_answer_line(*line);
      if (!keyed) break;
      answers_.insert_or_assign(keyed->key, std::move(keyed->answer));
    }
    begin = end + 1;
  }
  whole_ = begin;
  torn_ = static_cast<std::size_t>(
              std::count(text.begin() + static_cast<std::ptrdiff_t>(begin), text.end(), '\n')) +
          (begin < text.size() && text.back() != '\n' ? 1 : 0);
}

void Journal::append(const std::vector<Entry>& entries) {
  if (entries.empty()) return;
  std::string text;
  for (const Entry& entry : entries) text += with_checksum(answer_line(entry.key, *entry.answer));
  write(text);
}

void Journal::write(const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t wrote = ::write(file_, text.data() + done, text.size() - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) refuse(std::string("the file cannot be written: ") + std::strerror(errno));
    done += static_cast<std::size_t>(wrote);
  }
  if (::fdatasync(file_) != 0 && errno != EINVAL && errno != EROFS) {
    refuse(std::string("the file cannot be synced: ") + std::strerror(errno));
  }
}

void Journal::refuse(const std::string& what) const { throw InputError(path_ + ": " + what); }

}  // namespace pimbb::answers
