// Exploring a space of accelerators: networks mapped onto every point of a grid of parameters.
//
//   const Space space = read_space("space.yaml");
//   const Exploration found = dram_pim::explore(space);       // or cim::, crossbar::
//   write_file("points.csv", exploration_csv(space, found));
//
// Every point is solved to proof, or to the limit of nodes that the options set. The exploration
// does not depend on the number of threads or processes, nor on timing, unless a time limit or an
// interruption ends it. Decided in section 5 of the specification of answers
// (docs/commands/explore.md).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pimbb/kind.hpp"
#include "pimbb/rational.hpp"
#include "pimbb/run_limits.hpp"

namespace pimbb {

/// A space file (docs/commands/explore.md), without the files that it names.
struct Space {
  struct Axis {
    std::string path;                 ///< of keys of the architecture: "pe_array.dim_h"
    std::vector<std::string> values;  ///< as texts of a YAML file, at least one, distinct
    std::string place;  ///< for messages: "space.yaml:7:5: explore.vary.pe_array.dim_h"
  };
  std::string label;                  ///< how messages name the file
  std::string arch;                   ///< a preset, or a path
  std::vector<std::string> networks;  ///< presets or paths
  /// Goals in order of importance, as in --objective: "edp", or "latency,energy".
  std::string objective;
  std::vector<Axis> vary;
  std::vector<std::vector<std::size_t>> tie;  ///< axes that move together, of equal length
  std::string only;                           ///< a comparison; empty: all points
  std::string cost;                           ///< an expression; empty: no cost
  std::string arch_place, networks_place, objective_place, only_place, cost_place;
};

/// Reads a space file. Throws InputError, naming file, line and key. Paths in it are relative to
/// its folder.
Space read_space(const std::string& path);
/// The same from text; messages use `label` as the file name.
Space parse_space(std::string_view text, const std::string& label);

/// Processes of one exploration, of which number 0 hands out the work.
class Ranks {
 public:
  struct Message {
    int from = 0;
    int tag = 0;
    std::string text;
  };
  Ranks() = default;
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;
  virtual ~Ranks() = default;
  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int count() const = 0;
  virtual void send(int to, int tag, const std::string& text) = 0;
  /// A message of this tag, or of any if it is -1, that has arrived; does not wait.
  virtual std::optional<Message> receive(int tag) = 0;
};

struct ExploreOptions {
  /// Threads of the exploration, or of each process. The time limit is that of the exploration, the
  /// limit of nodes that of each search, the memory limit that of all searches of a process.
  RunLimits limits = {};
  bool prune = false;      ///< skip points that a proven bound shows off the front
  std::string journal;     ///< a file for what is solved; empty: none
  bool resume = false;     ///< go on where the journal ends
  Ranks* ranks = nullptr;  ///< the other processes; null: there are none
};

/// What one network takes on one point.
struct ExploredNetwork {
  Status status = Status::unknown;
  std::vector<Rational> costs;  ///< of the totals, by Exploration::goals; empty without a mapping
  Rational value;               ///< of the objective's first goal
  Rational bound;               ///< proven: nothing is below it
  std::uint64_t nodes = 0;      ///< of the searches that it took; shared ones count everywhere
};

struct ExploredPoint {
  std::size_t number = 0;           ///< in the grid, from 0
  std::vector<std::string> values;  ///< by axis
  std::optional<Rational> cost;     ///< of the expression
  /// The weakest of the networks. `unknown` also where the exploration ended before.
  Status status = Status::unknown;
  std::vector<ExploredNetwork> networks;  ///< empty if it was skipped
  std::vector<Rational> costs;            ///< sums over the networks
  Rational value;         ///< sum over the networks; of no meaning without a mapping
  Rational bound;         ///< proven: the sum is not below it
  bool skipped = false;   ///< the bound shows that it is not on the front
  bool on_front = false;  ///< no other point is better in cost and objective
  bool best = false;      ///< least objective; of equal ones the cheapest
  [[nodiscard]] bool has_value() const { return !costs.empty(); }
};

struct Exploration {
  Kind kind = Kind::dram_pim;
  std::string architecture;           ///< the name of the one that is varied
  std::vector<std::string> networks;  ///< their names
  std::vector<std::string> goals;     ///< of the costs: "latency", "energy", ...
  std::vector<ExploredPoint> points;  ///< those of the grid that `only` admits, in its order
  std::size_t grid = 0;               ///< all points of the grid
  std::uint64_t searches = 0;         ///< different searches that the results consist of
  std::uint64_t searched = 0;         ///< of them: by this run, not taken from the journal
  std::uint64_t nodes = 0;            ///< of the different searches
  Status status = Status::optimal;    ///< `feasible`: not everything is proven
  bool stopped = false;               ///< by the time limit or an interruption
  double seconds = 0;
  int threads = 1;
  int processes = 1;
};

/// Progress of an exploration.
struct ExploreProgress {
  std::size_t done = 0;  ///< points
  std::size_t points = 0;
  std::optional<double> best;  ///< least objective so far
  double seconds = 0;
};
using OnExplored = std::function<void(const ExploreProgress&)>;

/// The pimbb-explore/1 document (docs/schema/pimbb-explore.json), indented, with a newline at the
/// end. `timeless`: without what differs between two runs.
std::string exploration_json(const Space& space, const Exploration& exploration, bool timeless);
/// A line of names, then a line for each point.
std::string exploration_csv(const Space& space, const Exploration& exploration);

}  // namespace pimbb
