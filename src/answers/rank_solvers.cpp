// Tasks and answers as lines of text.
#include "answers/rank_solvers.hpp"

#include <chrono>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "answers/journal.hpp"
#include "pimbb/error.hpp"
#include "run/threads.hpp"

namespace pimbb::answers {
namespace {

// Tags of messages.
constexpr int kTask = 1;    // to a solver
constexpr int kAnswer = 2;  // from a solver
constexpr int kFault = 3;   // from a solver: the kind of the error, and its text
constexpr int kCancel = 5;  // to a solver
constexpr int kEnd = 6;     // to a solver

constexpr auto kPause = std::chrono::microseconds(200);

std::string task_line(const PartTask& task) {
  std::ostringstream line;
  line << task.ticket << ' ' << task.point << ' ' << task.network << ' ' << task.part << ' '
       << task.threads << ' ' << task.ask.text();
  return line.str();
}

Ask parse_ask(const std::string& text) {
  Ask ask;
  std::istringstream words(text);
  std::string word;
  words >> word;
  if (word == "goals") {
    for (std::size_t goal = 0; words >> goal;) ask.order.push_back(goal);
    return ask;
  }
  const std::size_t comma = word.find(',');
  ask.blend = {Rational::parse(word.substr(0, comma)), Rational::parse(word.substr(comma + 1))};
  return ask;
}

PartTask parse_task(const std::string& text) {
  std::istringstream line(text);
  PartTask task;
  line >> task.ticket >> task.point >> task.network >> task.part >> task.threads;
  std::string ask;
  std::getline(line >> std::ws, ask);
  task.ask = parse_ask(ask);
  return task;
}

std::string fault_text(const std::exception_ptr& fault) {
  try {
    std::rethrow_exception(fault);
  } catch (const LimitError& error) {
    return std::string("L") + error.what();
  } catch (const InputError& error) {
    return std::string("I") + error.what();
  } catch (const std::exception& error) {
    return std::string("X") + error.what();
  }
}

[[noreturn]] void throw_fault(int rank, const std::string& text) {
  const std::string message = "rank " + std::to_string(rank) + ": " + text.substr(1);
  if (text.front() == 'L') throw LimitError(message);
  if (text.front() == 'I') throw InputError(message);
  throw std::runtime_error(message);
}

void end_all(Ranks& ranks) {
  for (int rank = 1; rank < ranks.count(); ++rank) ranks.send(rank, kEnd, "");
}

}  // namespace

RankSolvers::RankSolvers(Ranks& ranks, const PointProblems& problems, int threads,
                         ThreadSolvers::Solve solve)
    : ranks_(ranks), problems_(problems) {
  if (ranks.count() <= kSolvingWithFew) {
    own_ = std::make_unique<ThreadSolvers>(threads, std::move(solve));
    members_.push_back({0, threads, 0});
    width_ += static_cast<std::size_t>(threads);
  }
  for (int rank = 1; rank < ranks.count(); ++rank) {
    members_.push_back({rank, threads, 0});
    width_ += static_cast<std::size_t>(threads);
  }
}

void RankSolvers::start(PartTask task) {
  std::size_t least = 0;  // the member with the fewest searches for its threads, the first of these
  const auto load = [](const Member& m) {
    return static_cast<double>(m.busy) / static_cast<double>(m.threads);
  };
  for (std::size_t m = 1; m < members_.size(); ++m) {
    if (load(members_[m]) < load(members_[least])) least = m;
  }
  Member& member = members_[least];
  ++member.busy;
  task.threads = std::min(task.threads, member.threads);
  if (member.rank > 0) ranks_.send(member.rank, kTask, task_line(task));
  given_.emplace(task.ticket, Given{least, task});
  if (member.rank == 0) own_->start(std::move(task));
}

std::vector<PartDone> RankSolvers::wait(bool briefly) {
  std::vector<PartDone> done;
  do {
    while (const auto message = ranks_.receive(-1)) take_message(*message, done);
    if (own_) {
      for (PartDone& each : own_->wait(/*briefly=*/true)) {
        const auto given = given_.find(each.ticket);
        --members_[given->second.member].busy;
        given_.erase(given);
        done.push_back(std::move(each));
      }
    } else if (done.empty()) {
      std::this_thread::sleep_for(kPause);
    }
  } while (done.empty() && !briefly);
  return done;
}

void RankSolvers::cancel() {
  for (int rank = 1; rank < ranks_.count(); ++rank) ranks_.send(rank, kCancel, "");
}

void RankSolvers::take_message(const Ranks::Message& message, std::vector<PartDone>& done) {
  if (message.tag == kFault) throw_fault(message.from, message.text);
  if (message.tag == kAnswer) take_line(message.text, message.from, done);
}

/// "TICKET COMPLETE ", and the answer with the hash of what was solved.
void RankSolvers::take_line(const std::string& text, int rank, std::vector<PartDone>& done) {
  std::istringstream line(text);
  PartDone each;
  line >> each.ticket >> each.complete;
  std::string rest;
  std::getline(line >> std::ws, rest);
  std::optional<KeyedAnswer> keyed = parse_answer_line(rest);
  const auto given = given_.find(each.ticket);
  if (!keyed || given == given_.end()) throw_fault(rank, "Xan answer that cannot be read: " + text);
  const PartTask& task = given->second.task;
  if (keyed->key != problems_.search_hash(task.point, task.network, task.part, task.ask)) {
    throw_fault(rank, "Ifound other files than those of rank 0, allowed are the same");
  }
  each.answer = std::move(keyed->answer);
  --members_[given->second.member].busy;
  given_.erase(given);
  done.push_back(std::move(each));
}

void serve(Ranks& ranks, const Space& space, const Explorable& explorable,
           const RunLimits& limits) {
  std::stop_source stop;
  RunLimits own = limits;
  own.stop = stop.get_token();
  const PointProblems problems(space, explorable, own);
  const run::Clock clock(own);
  ThreadSolvers solvers(run::thread_count(own),
                        [&](const PartTask& task) { return problems.solve(task, clock); });
  std::map<std::uint64_t, PartTask> tasks;
  while (true) {
    while (const auto message = ranks.receive(-1)) {
      if (message->tag == kEnd) {
        stop.request_stop();
        return;
      }
      if (message->tag == kCancel) stop.request_stop();
      if (message->tag != kTask) continue;
      PartTask task = parse_task(message->text);
      tasks.emplace(task.ticket, task);
      solvers.start(std::move(task));
    }
    for (const PartDone& each : solvers.wait(/*briefly=*/true)) {
      if (each.fault) std::rethrow_exception(each.fault);
      const PartTask task = tasks.extract(each.ticket).mapped();
      const std::string key = problems.search_hash(task.point, task.network, task.part, task.ask);
      ranks.send(0, kAnswer,
                 std::to_string(each.ticket) + (each.complete ? " 1 " : " 0 ") +
                     answer_line(key, each.answer));
    }
  }
}

void on_all_ranks(Ranks& ranks, const std::function<void()>& body) {
  if (ranks.rank() == 0) {
    try {
      body();
    } catch (...) {
      end_all(ranks);
      throw;
    }
    end_all(ranks);
    return;
  }
  try {
    body();
  } catch (...) {
    ranks.send(0, kFault, fault_text(std::current_exception()));
    while (true) {  // number 0 reports it, or the same error of its own
      if (const auto message = ranks.receive(-1); message && message->tag == kEnd) return;
      std::this_thread::sleep_for(kPause);
    }
  }
}

}  // namespace pimbb::answers
