// The document, line by line.
#include <new>
#include <string_view>

#include "check.hpp"

namespace pimbb_check {
namespace {

class Reader {
 public:
  explicit Reader(std::istream& in) : in_(in) {}

  void run(Checker& checker) {
    require(next() == "pimbb-proof/1", "the format is not pimbb-proof/1");
    const std::string hash = field("sha256");
    checker.begin(hash, field("instance"));
    while (next() != "end") event(checker);
    checker.end();
    require(in_.peek() == std::istream::traits_type::eof(), "something follows the end");
  }

  [[nodiscard]] std::uint64_t line_number() const { return number_; }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

 private:
  /// The next line, which must exist.
  const std::string& next() {
    ++number_;
    require(static_cast<bool>(std::getline(in_, line_)), "the proof ends too early");
    require(!in_.eof(), "the last line is cut off");
    bytes_ += line_.size() + 1;
    return line_;
  }
  /// The rest of the next line, which must begin with `key` and a space.
  std::string field(const std::string& key) {
    if (!next().starts_with(key + " ")) throw Refusal("'" + key + " ...' is wanted here");
    return line_.substr(key.size() + 1);
  }
  /// The line, cut at every space.
  [[nodiscard]] std::vector<std::string> words() const {
    std::vector<std::string> found{""};
    for (const char c : line_) {
      if (c == ' ') {
        found.emplace_back();
      } else {
        found.back() += c;
      }
    }
    return found;
  }

  void event(Checker& checker) {
    const char key = line_.size() > 2 && line_[1] == ' ' ? line_[0] : ' ';
    if (key == 'n' || key == 'b' || key == 'c' || key == 'e') {
      return checker.node(static_cast<Record>(key), tile(), line_.back());
    }
    if (line_.starts_with("mapping ")) return checker.incumbent(line_.substr(8));
    if (line_ == "infeasible") return checker.infeasible();
    const std::vector<std::string> word = words();
    if (word[0] == "goal" && word.size() == 3) return checker.goal(word[1], word[2]);
    if (word[0] == "thresholds") return checker.thresholds({word.begin() + 1, word.end()});
    if (key == 's' && word.size() == 2) return checker.storage(word[1]);
    if (key == 'l' && word.size() == 2) return checker.ordered(word[1]);
    require(key == 'o' && word.size() == 3, "an unknown record");
    const char* at = word[2].c_str();
    const auto level = static_cast<std::size_t>(number(at));
    require(*at == '\0', "a level is a number");
    checker.overflow(word[1], level);
  }

  /// A plain decimal number at `at`, which moves behind it.
  static std::int64_t number(const char*& at) {
    const char* const begin = at;
    std::int64_t value = 0;
    for (; *at >= '0' && *at <= '9'; ++at) {
      require(at < begin + 17, "a number is too long");
      value = 10 * value + (*at - '0');
    }
    require(at > begin && (*begin != '0' || at == begin + 1), "a number is not plain");
    return value;
  }
  /// The R.S.P.Q.C.K.N of "n R.S.P.Q.C.K.N w", or R.S.P.Q.C.K.N.G where G is not 1.
  [[nodiscard]] Factors tile() const {
    Factors c = kOnes;
    const char* at = line_.c_str() + 2;
    for (std::size_t j = 0; j < kDims; ++j) {
      c[j] = number(at);
      const char separator = *at++;
      if (j == N && separator == ' ') break;
      require(separator == (j < G ? '.' : ' '), "a tile has seven factors, or eight with groups");
      require(j != G || c[G] > 1, "a tile has a factor of groups above 1 or none");
    }
    require(at + 1 == line_.c_str() + line_.size(), "a tile is followed by a class of loops");
    return c;
  }

  std::istream& in_;
  std::string line_;
  std::uint64_t number_ = 0, bytes_ = 0;
};

}  // namespace

Report check(std::istream& proof, const std::optional<std::string>& instance) {
  Checker checker(instance);
  Reader reader(proof);
  std::string reason;
  bool out_of_memory = false;
  try {
    reader.run(checker);
  } catch (const std::bad_alloc&) {
    reason = "it needs more memory than the limit";
    out_of_memory = true;
  } catch (const std::exception& error) {
    reason = error.what();
  }
  Report report = checker.report();
  report.accepted = reason.empty();
  report.out_of_memory = out_of_memory;
  if (!reason.empty())
    report.reason = "line " + std::to_string(reader.line_number()) + ": " + reason;
  report.bytes = reader.bytes();
  return report;
}

}  // namespace pimbb_check
