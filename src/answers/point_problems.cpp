// Machines made once, hashes of everything, and searches within their limits.
#include "answers/point_problems.hpp"

#include <algorithm>
#include <unordered_map>

#include "files/sha256.hpp"
#include "pimbb/error.hpp"
#include "run/threads.hpp"

namespace pimbb::answers {
namespace {

/// "pe_array.dim_h=4, pe_array.dim_w=8"
std::string listed(const std::vector<std::string>& changes) {
  std::string text;
  for (const std::string& change : changes) text += (text.empty() ? "" : ", ") + change;
  return text;
}

}  // namespace

PointProblems::PointProblems(const Space& space, const Explorable& explorable,
                             const RunLimits& limits)
    : space_(space),
      explorable_(explorable),
      limits_(limits),
      points_(grid_points(space, [&](const std::string& path) { return explorable.figure(path); })),
      made_(points_.size()) {
  std::unordered_map<std::string, std::size_t> numbers;
  const std::size_t networks = explorable.networks().size();
  for (std::size_t n = 0; n < networks; ++n) {
    std::vector<std::size_t>& own = part_numbers_.emplace_back();
    for (const NetworkPart& part : explorable.parts(n)) {
      const auto [found, is_new] = numbers.emplace(files::sha256(part.text), numbers.size());
      if (is_new) part_hashes_.push_back(found->first);
      own.push_back(found->second);
    }
  }
}

const PointProblems::Made& PointProblems::made(std::size_t k) const {
  const std::lock_guard lock(mutex_);
  if (!made_[k]) {
    const std::vector<std::string> changes = changes_of(space_, points_[k]);
    try {
      auto machine = explorable_.machine(changes);
      std::string hash = files::sha256(machine->text());
      made_[k] = std::make_unique<Made>(Made{std::move(machine), std::move(hash)});
    } catch (const InputError& error) {
      throw InputError(
          space_.vary.front().place.substr(0, space_.vary.front().place.rfind("explore.vary")) +
          "explore.vary: at the point " + listed(changes) + ": " + error.what());
    }
  }
  return *made_[k];
}

const PointMachine& PointProblems::machine(std::size_t k) const { return *made(k).machine; }

const std::string& PointProblems::machine_hash(std::size_t k) const { return made(k).hash; }

std::string PointProblems::terms() const {
  std::string text = explorable_.terms();
  if (limits_.node_limit) text += " nodes " + std::to_string(*limits_.node_limit);
  return text;
}

std::string PointProblems::search_hash(std::size_t k, std::size_t network, std::size_t part,
                                       const Ask& ask) const {
  return files::sha256(machine_hash(k) + " " + part_hashes_[part_number(network, part)] + " " +
                       ask.text() + " " + terms());
}

std::string PointProblems::space_hash(const ObjectiveGoals& goals) const {
  std::string text = "pimbb-explore/1 " + std::string(name(explorable_.kind())) + " " + terms();
  text += goals.product ? " product" : " " + Ask{goals.order, {}}.text();
  text += "\ncost " + space_.cost + "\n";
  for (std::size_t k = 0; k < points_.size(); ++k) {
    text += std::to_string(points_[k].number) + " " + machine_hash(k) + "\n";
  }
  const std::vector<std::string> networks = explorable_.networks();
  for (std::size_t n = 0; n < networks.size(); ++n) {
    const std::vector<NetworkPart>& parts = explorable_.parts(n);
    for (std::size_t p = 0; p < parts.size(); ++p) {
      text += std::to_string(n) + " " + parts[p].times.to_string() + " " +
              part_hashes_[part_number(n, p)] + "\n";
    }
  }
  return files::sha256(text);
}

PartDone PointProblems::solve(const PartTask& task, const run::Clock& clock) const {
  PartDone done;
  done.ticket = task.ticket;
  RunLimits own = limits_;
  own.threads = task.threads;
  own.on_progress = nullptr;
  own.memory_limit /= static_cast<std::uint64_t>(run::thread_count(limits_));
  const auto search = [&] {
    own.time_limit = clock.left();
    done.answer = explorable_.solve(machine(task.point), task.network, task.part, task.ask, own);
  };
  try {
    try {
      search();
    } catch (const LimitError&) {  // its part of the memory is not enough
      const std::lock_guard lock(alone_);
      own.memory_limit = limits_.memory_limit;
      search();
    }
  } catch (const LimitError& error) {
    done.complete = !clock.stopped();
    if (done.complete) {
      done.fault = std::make_exception_ptr(
          LimitError(listed(changes_of(space_, points_[task.point])) + ": " +
                     explorable_.parts(task.network)[task.part].name + ": " + error.what()));
    }
  } catch (...) {
    done.fault = std::current_exception();
  }
  const Status status = done.answer.status;
  const bool proven = status == Status::optimal || status == Status::infeasible;
  done.complete = done.complete && (proven || !clock.stopped());
  return done;
}

}  // namespace pimbb::answers
