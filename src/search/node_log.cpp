// Following one node and its ancestors. Empty unless the log is compiled in.
#include "search/node_log.hpp"

#ifdef PIMBB_DEBUG_LOG

#include <cstdlib>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

namespace pimbb::search {
namespace {

/// PIMBB_LOG_NODE: NODE or SEARCH:NODE.
struct Followed {
  std::optional<std::uint64_t> search;
  std::uint64_t node = kNoNode;
};

Followed followed_node() {
  Followed result;
  const char* text = std::getenv("PIMBB_LOG_NODE");
  if (text == nullptr) return result;
  char* end = nullptr;
  result.node = std::strtoull(text, &end, 10);
  if (*end == ':') {
    result.search = result.node;
    result.node = std::strtoull(end + 1, nullptr, 10);
  }
  return result;
}

}  // namespace

struct NodeLog::State {
  struct Record {
    std::uint64_t parent = kNoNode;
    std::vector<std::string> lines;  // until it is known whether they are to be printed
    bool is_followed = false;
  };

  void print(const std::string& text) const {
    run::write_log_line("search", std::to_string(number) + " " + text);
  }
  /// Prints what is known of the node and its ancestors, the oldest first.
  void follow(std::uint64_t id) {
    std::vector<Record*> path;
    for (; id != kNoNode; id = records[id].parent) path.push_back(&records[id]);
    for (auto record = path.rbegin(); record != path.rend(); ++record) {
      (*record)->is_followed = true;
      for (const std::string& line : (*record)->lines) print(line);
    }
    std::erase_if(records, [](const auto& entry) { return !entry.second.is_followed; });
  }

  std::uint64_t number = 0;      // of the search
  std::uint64_t node = kNoNode;  // to be followed; kNoNode: all are
  bool is_found = false;
  std::unordered_map<std::uint64_t, Record> records;
  std::mutex mutex;
};

NodeLog::NodeLog() {
  const std::uint64_t number = run::next_log_number("search");
  const Followed wanted = followed_node();
  const bool is_wanted = wanted.node == kNoNode ? run::is_logged("search")
                                                : !wanted.search || *wanted.search == number;
  if (!is_wanted) return;
  state_ = std::make_unique<State>();
  state_->number = number;
  state_->node = wanted.node;
}
NodeLog::~NodeLog() = default;

bool NodeLog::is_ancestor(std::uint64_t id) const {
  return state_->node != kNoNode && id != state_->node;
}

std::string NodeLog::parent_text(std::uint64_t parent) {
  return parent == kNoNode ? "as a root" : "below node " + std::to_string(parent);
}

void NodeLog::set_parent(std::uint64_t id, std::uint64_t parent) {
  if (state_->node == kNoNode || state_->is_found) return;
  const std::lock_guard lock(state_->mutex);
  state_->records[id].parent = parent;
}

void NodeLog::write(std::uint64_t id, std::uint64_t depth, const std::string& text) const {
  const std::string name = id == kNoNode ? "roots" : "node " + std::to_string(id);
  const std::string line = name + (depth > 0 ? "/" + std::to_string(depth) : "") + ": " + text;
  if (state_->node == kNoNode) return state_->print(line);
  const std::lock_guard lock(state_->mutex);
  if (state_->is_found) {
    const auto record = state_->records.find(id);
    if (record != state_->records.end()) state_->print(line);
    return;
  }
  state_->records[id].lines.push_back(line);
  if (id != state_->node) return;
  state_->is_found = true;
  state_->follow(id);
}

}  // namespace pimbb::search

#endif
