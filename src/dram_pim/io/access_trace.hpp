// The DRAM accesses of a mapping as text, one line each, for a DRAM simulator or a spreadsheet.
//
// The text is produced in pieces of complete lines, and the accesses and activations of each bank
// are counted. Memory does not grow with the length of the trace. docs/trace-format.md describes
// both formats.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "dram_pim/rows/accesses.hpp"
#include "dram_pim/rows/bank_map.hpp"

namespace pimbb::dram_pim::io {

enum class TraceFormat : std::uint8_t { ramulator, csv };
inline constexpr std::array<std::string_view, 2> kTraceFormatNames{"ramulator", "csv"};

struct TraceOptions {
  TraceFormat format = TraceFormat::ramulator;
  TensorFlags tensors{true, true, true};
  std::optional<std::int64_t> limit = std::nullopt;  ///< accesses; the rest is left out
};

/// The traffic of one bank.
struct BankTraffic {
  std::int64_t accesses = 0;
  std::int64_t activations = 0;  ///< accesses to a row other than the open one
};

class AccessTrace {
 public:
  /// `mapping` is feasible. Throws InputError if an address would not fit 63 bits.
  AccessTrace(const Architecture& architecture, const Workload& workload, const Mapping& mapping,
              const TraceOptions& options);

  /// The next lines, valid until the next call; empty at the end.
  std::string_view next();

  /// The traffic of the lines that next() has returned.
  [[nodiscard]] const BankTraffic& traffic(Tensor t) const { return traffic_[index(t)]; }
  [[nodiscard]] std::int64_t accesses() const { return accesses_; }
  /// Accesses of the chosen tensors in the whole stream, whatever the limit.
  [[nodiscard]] std::int64_t total() const { return total_; }
  [[nodiscard]] std::int64_t limit() const { return limit_; }
  [[nodiscard]] const rows::BankMap& banks() const { return banks_; }
  /// Rows that a bank needs.
  [[nodiscard]] std::int64_t rows() const { return rows_; }

 private:
  struct AccessPlace;
  void write_run(const rows::AccessRun& run, std::int64_t count);
  void write_line(const rows::AccessRun& run, const AccessPlace& place);
  char* write_csv(char* line, const rows::AccessRun& run, std::string_view op,
                  const AccessPlace& place) const;

  TraceOptions options_;
  rows::AccessStream stream_;
  std::int64_t byte_units_;  ///< of an address; columns are bytes
  rows::BankMap banks_;
  std::array<std::int64_t, kTensors> channels_;  ///< of a group: C, K, K
  std::int64_t total_ = 0;
  std::int64_t limit_;
  std::int64_t rows_ = 1;
  std::array<BankTraffic, kTensors> traffic_{};
  std::array<std::int64_t, kTensors> open_row_{-1, -1, -1};  ///< by bank
  std::int64_t accesses_ = 0;
  rows::AccessRun run_{};  ///< what is left of the run being written
  std::vector<char> text_;
  std::size_t size_ = 0;  ///< of the piece in `text_`
};

}  // namespace pimbb::dram_pim::io
