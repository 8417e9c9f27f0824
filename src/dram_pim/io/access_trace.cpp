// From runs of elements to lines, through the address map.
#include "dram_pim/io/access_trace.hpp"

#include <fmt/compile.h>

#include <algorithm>
#include <charconv>

namespace pimbb::dram_pim::io {
namespace {

constexpr std::size_t kPiece = 1U << 16;   // bytes of text handed out at once, about
constexpr std::int64_t kRunPiece = 256;    // accesses after which the size of the text is looked at
constexpr std::size_t kLongestLine = 256;  // eleven integers of at most 19 digits, and two words
constexpr std::string_view kCsvHeader =
    "index,tensor,op,address,bank,row,column,opens,iteration,n,k,c,h,w\n";

/// "LD 0x1f40" and the end of the line; twice as fast as by a format string.
char* write_ramulator(char* line, std::string_view op, std::int64_t address) {
  line = std::copy_n(op.data(), 2, line);
  line = std::copy_n(" 0x", 3, line);
  line = std::to_chars(line, line + 16, address, 16).ptr;
  *line++ = '\n';
  return line;
}

/// Rows of each tensor, those that are not told of included: addresses do not depend on that.
PerTensor<std::int64_t> occupied_by_each(const Architecture& a, const Workload& w,
                                         const Mapping& m) {
  PerTensor<std::int64_t> rows{};
  for (const Tensor t : kAllTensors) rows[index(t)] = rows::occupied_rows(a, w, m, t);
  return rows;
}

}  // namespace

/// Where an element lies, and whether its row has to be opened.
struct AccessTrace::AccessPlace {
  std::int64_t row;
  std::int64_t column;
  std::int64_t address;
  bool opens;
};

AccessTrace::AccessTrace(const Architecture& a, const Workload& w, const Mapping& m,
                         const TraceOptions& options)
    : options_(options),
      stream_(a, w, m, options.tensors),
      byte_units_(a.byte_units()),
      banks_(a.row_bytes(), a.banks(), occupied_by_each(a, w, m)),
      channels_{w.bound(Dim::C), w.bound(Dim::K), w.bound(Dim::K)},
      text_(kPiece + kRunPiece * kLongestLine) {
  for (const Tensor t : kAllTensors) {
    if (!options.tensors[index(t)]) continue;
    total_ += rows::count_accesses(a, w, m, t);
    rows_ = std::max(rows_, banks_.end_row[index(t)]);
  }
  limit_ = std::min(options.limit.value_or(total_), total_);
  if (options.format == TraceFormat::csv) {
    std::ranges::copy(kCsvHeader, text_.begin());
    size_ = kCsvHeader.size();
  }
}

std::string_view AccessTrace::next() {
  if (accesses_ > 0) size_ = 0;  // before the first access there is the header
  while (size_ < kPiece && accesses_ < limit_) {
    if (run_.count == 0 && !stream_.next(run_)) break;
    const std::int64_t count = std::min({run_.count, limit_ - accesses_, kRunPiece});
    write_run(run_, count);
    run_.address += count * run_.step;
    run_.first[run_.axis] += count;
    run_.count -= count;
  }
  return {text_.data(), size_};
}

void AccessTrace::write_run(const rows::AccessRun& run, std::int64_t count) {
  rows::AccessRun at = run;
  std::int64_t& open_row = open_row_[banks_.bank(run.tensor)];
  BankTraffic& traffic = traffic_[index(run.tensor)];
  const std::int64_t row_units = banks_.row_bytes * byte_units_;
  std::int64_t row = banks_.first_row[index(run.tensor)] + run.address / row_units;
  std::int64_t place = run.address % row_units;
  for (std::int64_t k = 0; k < count; ++k) {
    const bool opens = row != open_row;
    open_row = row;
    traffic.activations += opens ? 1 : 0;
    const std::int64_t column = place / byte_units_;
    write_line(at, {row, column, banks_.address(run.tensor, row, column), opens});
    ++accesses_;
    ++at.first[at.axis];
    for (place += run.step; place >= row_units; place -= row_units) ++row;
  }
  traffic.accesses += count;
}

void AccessTrace::write_line(const rows::AccessRun& run, const AccessPlace& place) {
  char* const line = text_.data() + size_;
  const std::string_view op = run.tensor == Tensor::output ? "ST" : "LD";
  const char* end = options_.format == TraceFormat::ramulator
                        ? write_ramulator(line, op, place.address)
                        : write_csv(line, run, op, place);
  size_ += static_cast<std::size_t>(end - line);
}

char* AccessTrace::write_csv(char* line, const rows::AccessRun& run, std::string_view op,
                             const AccessPlace& place) const {
  line = fmt::format_to(line, FMT_COMPILE("{},{},{},0x{:x},{},{},{},{:d},{},"), accesses_,
                        name(run.tensor), op, place.address, banks_.bank(run.tensor), place.row,
                        place.column, place.opens, run.iteration);
  // h and w are also those of the kernel (s, r) and of the output (q, p). Channels are counted
  // through all groups: c of the input, k of the weight and the output.
  const auto& [a, b, c, d, e] = run.first;
  const bool weight = run.tensor == Tensor::weight;
  const std::int64_t channel = weight ? a * channels_[1] + b : b * channels_[index(run.tensor)] + c;
  switch (run.tensor) {
    case Tensor::input:
      return fmt::format_to(line, FMT_COMPILE("{},,{},{},{}\n"), a, channel, d, e);
    case Tensor::weight:
      return fmt::format_to(line, FMT_COMPILE(",{},{},{},{}\n"), channel, c, d, e);
    default: return fmt::format_to(line, FMT_COMPILE("{},{},,{},{}\n"), a, channel, d, e);
  }
}

}  // namespace pimbb::dram_pim::io
