// The life of nodes in the debug log (run/debug_log.hpp): opened, dropped, taken, expanded,
// solutions.
//
//     LOG search 2 node 17: opened below node 5, bound 320
//     LOG search 2 node 17: taken as number 4, bound 320
//     LOG search 2 node 17: expanded, 6 children
//     LOG search 2 node 17/1: expanded, 0 children       the first descendant of the same plunge
//     LOG search 2 node 17: solution 325, the new incumbent
//
// Nodes are numbered as they are opened, the same in every run. To follow one node (PIMBB_LOG_NODE)
// shows its ancestors as well: what happens to a node is kept until it is known whether the node is
// one of them, i.e. until the node in question is opened. All of this exists only if the log is
// compiled in.
#pragma once

#include <memory>

#include "run/debug_log.hpp"

namespace pimbb::search {

/// No node: above a root.
inline constexpr std::uint64_t kNoNode = ~std::uint64_t{0};

#ifdef PIMBB_DEBUG_LOG

class NodeLog {
 public:
  NodeLog();
  ~NodeLog();

  template <class Value>
  void opened(std::uint64_t id, std::uint64_t parent, const Value& bound) {
    if (!state_) return;
    set_parent(id, parent);
    write(id, 0, run::log_text("opened ", parent_text(parent), ", bound ", bound));
  }
  /// A child of `parent` (or a root) that is never opened; left out of ancestors' lives.
  template <class Value>
  void not_opened(std::uint64_t parent, const Value& bound, const Value* incumbent) {
    if (!state_ || is_ancestor(parent)) return;
    write(parent, 0, run::log_text("child of bound ", bound, " ", reason(incumbent)));
  }
  template <class Value>
  void dropped(std::uint64_t id, const Value& bound, const Value* incumbent) {
    if (!state_) return;
    write(id, 0, run::log_text("dropped, bound ", bound, " ", reason(incumbent)));
  }
  template <class Value>
  void taken(std::uint64_t id, std::uint64_t number, const Value& bound) {
    if (!state_) return;
    write(id, 0, run::log_text("taken as number ", number, ", bound ", bound));
  }
  /// `depth`: descendants in the same plunge, from 0; thread-safe.
  void expanded(std::uint64_t id, std::uint64_t depth, std::uint64_t children) {
    if (!state_) return;
    write(id, depth, run::log_text("expanded, ", children, " children"));
  }
  template <class Value>
  void solution(std::uint64_t id, const Value& value, bool improves) {
    if (!state_) return;
    write(id, 0,
          run::log_text("solution ", value, improves ? ", the new incumbent" : ", too late"));
  }
  void interrupted(std::uint64_t id, std::uint64_t reopened) {
    if (!state_) return;
    set_parent(reopened, id);
    write(id, 0, run::log_text("interrupted, the rest is node ", reopened));
  }

 private:
  struct State;

  /// Why a node is not needed: `incumbent` is the value that its bound does not undercut, null if
  /// another node dominates it.
  template <class Value>
  static std::string reason(const Value* incumbent) {
    if (incumbent == nullptr) return "is dominated";
    return run::log_text("is not below the incumbent ", *incumbent);
  }
  /// Whether one node is followed, and this is another one.
  [[nodiscard]] bool is_ancestor(std::uint64_t id) const;
  static std::string parent_text(std::uint64_t parent);
  void set_parent(std::uint64_t id, std::uint64_t parent);
  void write(std::uint64_t id, std::uint64_t depth, const std::string& text) const;

  std::unique_ptr<State> state_;  // null unless the environment asks for this search
};

#else

class NodeLog {
 public:
  static void opened(const auto&...) {}
  static void not_opened(const auto&...) {}
  static void dropped(const auto&...) {}
  static void taken(const auto&...) {}
  static void expanded(const auto&...) {}
  static void solution(const auto&...) {}
  static void interrupted(const auto&...) {}
};

#endif

}  // namespace pimbb::search
