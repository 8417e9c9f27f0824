// The figures of a device, and their ranges.
#include "pimbb/dram_pim/device.hpp"

#include <limits>
#include <set>

#include "pimbb/error.hpp"

namespace pimbb::dram_pim {
namespace {

class DeviceCheck {
 public:
  explicit DeviceCheck(const Device& device) : device_(device) {}

  void run() const {
    validate(device_.unit);
    at_least_0("launch", device_.launch);
    at_least_0("static_power", device_.static_power);
    at_least_0("host.reduce_energy", device_.host_reduce_energy);
    positive("host.reduce_bandwidth", device_.host_reduce_bandwidth);
    positive("cycle", device_.cycle);
    refresh();
    levels();
  }

 private:
  [[noreturn]] void fail(const std::string& key, const std::string& found,
                         const std::string& allowed) const {
    throw InputError("device '" + device_.name + "': " + key + ": found " + found +
                     ", allowed are " + allowed);
  }
  void at_least_0(const std::string& key, const Rational& value) const {
    if (value.sign() < 0) fail(key, value.to_string(), "numbers >= 0");
  }
  void positive(const std::string& key, const std::optional<Rational>& value) const {
    if (value && value->sign() <= 0) fail(key, value->to_string(), "numbers > 0");
  }

  void refresh() const {
    if (!device_.refresh) return;
    at_least_0("refresh.duration", device_.refresh->duration);
    if (device_.refresh->duration >= device_.refresh->interval) {
      fail("refresh.duration", device_.refresh->duration.to_string(),
           "numbers below the interval, " + device_.refresh->interval.to_string());
    }
  }

  void levels() const {
    std::set<std::string> names;
    std::int64_t units = 1;
    for (const DeviceLevel& level : device_.levels) {
      const std::string where = "level '" + level.name + "': ";
      if (!names.insert(level.name).second) {
        fail("levels", "two levels named '" + level.name + "'", "distinct names");
      }
      if (level.count < 1) fail(where + "count", std::to_string(level.count), "integers >= 1");
      if (units > std::numeric_limits<std::int64_t>::max() / level.count) {
        fail("levels", "a product of counts beyond 2^63", "products below 2^63");
      }
      units *= level.count;
      positive(where + "write_bandwidth", level.write_bandwidth);
      positive(where + "read_bandwidth", level.read_bandwidth);
      at_least_0(where + "reduce_energy", level.reduce_energy);
      at_least_0(where + "energy", level.energy);
      at_least_0(where + "latency", level.latency);
    }
  }

  const Device& device_;
};

}  // namespace

Rational Device::stretch() const {
  if (!refresh) return 1;
  return refresh->interval / (refresh->interval - refresh->duration);
}

std::int64_t Device::units() const {
  std::int64_t product = 1;
  for (const DeviceLevel& level : levels) product *= level.count;
  return product;
}

void validate(const Device& device) { DeviceCheck(device).run(); }

}  // namespace pimbb::dram_pim
