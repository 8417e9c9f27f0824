// A list of tasks, and threads that take one after the other.
#include "dram_pim/plan/layer_searches.hpp"

#include <algorithm>
#include <limits>

#include "dram_pim/network/together.hpp"
#include "pimbb/error.hpp"
#include "run/threads.hpp"

namespace pimbb::dram_pim::network {

LayerQuestion::Key LayerQuestion::key() const {
  return {mapper::LayerStore::key(workload), workload.input_frame, workload.output_frame, input,
          output};
}

LayerSearches::LayerSearches(const RunLimits& limits, Search search)
    : limits_(limits),
      search_(std::move(search)),
      helpers_(std::min(static_cast<std::size_t>(run::thread_count(limits)), kTogether) - 1) {}

LayerSearches::~LayerSearches() { forget(); }

bool LayerSearches::has_work() { return next() != nullptr || can_look(); }

/// As many as there is work for, beside the calling thread.
void LayerSearches::call_helpers() {
  auto open = std::ranges::count(tasks_, State::open, &Task::state) + (can_look() ? 1 : 0);
  for (; open > 1 && helping_ < helpers_.most(); --open) {
    ++helping_;
    helpers_.begin([this] { help(); });
  }
}

void LayerSearches::help() {
  Lock lock(mutex_);
  while (has_work()) work(lock);
  --helping_;
}

/// What to begin with: what is asked for, the longest search first, then what is likely to be;
/// null if nothing is open.
LayerSearches::Task* LayerSearches::next() {
  Task* likely = nullptr;
  Task* longest = nullptr;
  for (Task& task : tasks_) {
    if (task.state != State::open) continue;
    if (!task.wanted) {
      if (likely == nullptr) likely = &task;
    } else if (longest == nullptr || expected_seconds(task) > expected_seconds(*longest)) {
      longest = &task;
    }
  }
  return longest != nullptr ? longest : likely;
}

/// As long as the last search of the layer took, whatever was asked then; of a layer that was not
/// searched, longer than all others.
double LayerSearches::expected_seconds(const Task& task) const {
  const auto last = seconds_.find(std::get<mapper::LayerStore::Key>(task.key));
  return last != seconds_.end() ? last->second : std::numeric_limits<double>::infinity();
}

/// Brief searches and likely ones leave the other threads to those beside them.
LayerSearches::Share LayerSearches::share_of(const Task& task) const {
  return task.wanted && expected_seconds(task) >= kBrief ? Share::part : Share::one_thread;
}

bool LayerSearches::can_look() const { return look_ahead_ != nullptr && !looking_; }

void LayerSearches::work(Lock& lock) {
  if (Task* task = next()) {
    run(*task, lock);
  } else {
    look(lock);
  }
}

void LayerSearches::run(Task& task, Lock& lock) {
  task.state = State::running;
  const Terms terms{share_of(task), task.stop.get_token(), task.unwanted.get_token()};
  lock.unlock();
  Solution solution;
  std::exception_ptr fault;
  {
    const std::stop_callback interrupted(limits_.stop, [&] { task.stop.request_stop(); });
    try {
      solution = search_(task.question, terms);
    } catch (...) {
      fault = std::current_exception();
    }
  }
  lock.lock();
  task.state = State::done;
  seconds_[std::get<mapper::LayerStore::Key>(task.key)] = solution.seconds;
  task.solution = std::move(solution);
  task.fault = fault;
  std::erase_if(tasks_, [](const Task& t) { return is_forgotten(t) && t.state == State::done; });
  changed_.notify_all();
}

void LayerSearches::look(Lock& lock) {
  looking_ = true;
  const LookAhead& look_ahead = *look_ahead_;
  lock.unlock();
  std::optional<std::vector<LayerQuestion>> likely;
  try {
    likely = look_ahead();
  } catch (...) {
    likely.reset();  // what goes wrong ahead goes wrong again when its time has come
  }
  lock.lock();
  looking_ = false;
  if (likely) {
    for (const LayerQuestion& question : *likely) task(question);
    call_helpers();
  } else {
    look_ahead_ = nullptr;
  }
  changed_.notify_all();
}

/// The task of a question; null if there is none.
LayerSearches::Task* LayerSearches::known(const LayerQuestion& question,
                                          const LayerQuestion::Key& key) {
  const auto task = std::ranges::find_if(tasks_, [&](const Task& t) {
    return !is_forgotten(t) && t.question.at_most == question.at_most && t.key == key;
  });
  return task == tasks_.end() ? nullptr : &*task;
}

/// The task of a question, which may be there already.
LayerSearches::Task& LayerSearches::task(const LayerQuestion& question) {
  LayerQuestion::Key key = question.key();
  if (Task* task = known(question, key)) return *task;
  return tasks_.emplace_back(Task{.question = question, .key = std::move(key)});
}

std::vector<Solution> LayerSearches::solutions(const std::vector<LayerQuestion>& questions,
                                               const LookAhead& look_ahead) {
  if (questions.empty()) return {};
  Lock lock(mutex_);
  std::vector<Task*> wanted;
  for (const LayerQuestion& question : questions) {
    wanted.push_back(&task(question));
    wanted.back()->wanted = true;
  }
  if (look_ahead && helpers_.most() > 0) look_ahead_ = &look_ahead;
  call_helpers();
  const auto is_done = [](const Task* task) { return task->state == State::done; };
  while (!std::ranges::all_of(wanted, is_done)) {
    if (has_work()) {
      work(lock);
    } else {
      changed_.wait(lock);
    }
  }
  look_ahead_ = nullptr;
  changed_.wait(lock, [this] { return !looking_; });
  std::vector<Solution> solutions;
  std::vector<std::exception_ptr> faults;
  for (Task* task : wanted) {
    solutions.push_back(std::move(task->solution));
    faults.push_back(std::move(task->fault));
    std::erase_if(tasks_, [&](const Task& t) { return &t == task; });
  }
  for (std::size_t k = 0; k < faults.size(); ++k) {
    try {
      if (faults[k]) std::rethrow_exception(faults[k]);
    } catch (const LimitError&) {
      solutions[k] = alone(questions[k], lock);
    }
  }
  return solutions;
}

/// With all of the memory.
Solution LayerSearches::alone(const LayerQuestion& question, Lock& lock) {
  forget_all_but({});
  changed_.wait(lock, [this] { return tasks_.empty(); });
  return search_(question, {Share::all, limits_.stop, {}});
}

void LayerSearches::forget(const std::vector<LayerQuestion>& but) {
  const Lock lock(mutex_);
  std::vector<const Task*> likely;
  for (const LayerQuestion& question : but) {
    if (const Task* task = known(question, question.key())) likely.push_back(task);
  }
  forget_all_but(likely);
}

/// Those that are running remain until they have stopped.
void LayerSearches::forget_all_but(const std::vector<const Task*>& likely) {
  const auto is_likely = [&](const Task& t) { return std::ranges::count(likely, &t) > 0; };
  std::erase_if(tasks_, [&](const Task& t) { return t.state != State::running && !is_likely(t); });
  for (Task& task : tasks_) {
    if (is_likely(task)) continue;
    task.unwanted.request_stop();
    task.stop.request_stop();
  }
}

}  // namespace pimbb::dram_pim::network
