// The command has a thread of its own; the thread of Python that called waits for it, and looks for
// Ctrl-C meanwhile: Python handles signals between instructions of its main thread only.
#include "python/call.hpp"

#include <pybind11/stl.h>

#include <chrono>
#include <exception>
#include <future>
#include <optional>
#include <stop_token>
#include <thread>

#include "cli/all_commands.hpp"
#include "files/source.hpp"
#include "terminal/caller.hpp"
#include "terminal/program.hpp"

namespace pimbb::python {
namespace {

namespace py = pybind11;

constexpr terminal::ProgramText kText{.name = "pimbb",
                                      .version = "pimbb " PIMBB_VERSION,
                                      .build = "",
                                      .description = "",
                                      .beginning = "",
                                      .exit_codes = ""};
constexpr std::chrono::milliseconds kSignalInterval(50);

/// One call: what stops it, and what Python raised meanwhile. Everything but `run` is used with the
/// interpreter's lock held.
class Call {
 public:
  Call(const py::object& on_progress, const py::object& on_explored) {
    caller_.stop = stop_.get_token();
    if (!on_progress.is_none()) {
      caller_.on_progress = [this, &on_progress](const Progress& p) {
        guarded(
            [&] { on_progress(std::string(p.goal), p.incumbent, p.bound, p.nodes, p.seconds); });
      };
    }
    if (!on_explored.is_none()) {
      caller_.on_explored = [this, &on_explored](const ExploreProgress& p) {
        guarded([&] { on_explored(p.done, p.points, p.best, p.seconds); });
      };
    }
  }

  /// On the command's thread.
  int run(std::vector<std::string> words, std::map<std::string, std::string> texts) {
    const files::GivenTexts given(std::move(texts));
    terminal::Program program(kText, cli::all_commands());
    return program.call(std::move(words), caller_);
  }

  /// On the thread that called, while the command runs: stops it at Ctrl-C.
  void look_for_signals() {
    if (raised_ || PyErr_CheckSignals() == 0) return;
    raised_.emplace();  // takes the exception from the interpreter
    interrupted_ = raised_->matches(PyExc_KeyboardInterrupt);
    stop_.request_stop();
  }

  /// After the command: rethrows what Python raised, unless that was Ctrl-C.
  Answer finish(std::future<int> code) {
    if (raised_ && !interrupted_) throw py::error_already_set(std::move(*raised_));
    const int value = code.get();
    return {value, std::move(caller_.document), interrupted_};
  }

 private:
  /// Calls Python from the thread that solves.
  template <class Function>
  void guarded(const Function& function) {
    const py::gil_scoped_acquire lock;
    if (raised_) return;
    try {
      function();
    } catch (py::error_already_set& error) {
      raised_.emplace(std::move(error));
      stop_.request_stop();
    }
  }

  std::stop_source stop_;
  terminal::Caller caller_;
  std::optional<py::error_already_set> raised_;
  bool interrupted_ = false;
};

}  // namespace

Answer call(std::vector<std::string> words, std::map<std::string, std::string> texts,
            const py::object& on_progress, const py::object& on_explored) {
  Call call(on_progress, on_explored);
  std::packaged_task<int()> task([&] { return call.run(std::move(words), std::move(texts)); });
  std::future<int> code = task.get_future();
  std::jthread thread(std::move(task));
  {
    const py::gil_scoped_release unlocked;
    while (code.wait_for(kSignalInterval) != std::future_status::ready) {
      const py::gil_scoped_acquire lock;
      call.look_for_signals();
    }
    thread.join();
  }
  return call.finish(std::move(code));
}

}  // namespace pimbb::python
