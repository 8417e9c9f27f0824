// The extension module pimbb._core: commands and problems as texts. The package around it (pimbb/)
// makes dataclasses of them.
#include <pybind11/stl.h>

#include "pimbb/error.hpp"
#include "python/call.hpp"
#include "python/problems.hpp"

namespace py = pybind11;

namespace {

pimbb::NetworkOptions options_of(std::optional<std::int64_t> batch,
                                 std::map<std::string, std::int64_t> dims, bool skip_unsupported) {
  return {.batch = batch, .dims = std::move(dims), .skip_unsupported = skip_unsupported};
}

}  // namespace

PYBIND11_MODULE(_core, m) {
  using namespace pimbb::python;
  m.doc() = "Commands of pimbb, and its problems, as texts; use the package pimbb.";
  m.attr("version") = PIMBB_VERSION;

  // The one that is registered last is tried first.
  const auto input_error =
      py::register_exception<pimbb::InputError>(m, "InputError", PyExc_ValueError);
  py::register_exception<pimbb::LimitError>(m, "LimitError", input_error.ptr());

  m.def(
      "call",
      [](std::vector<std::string> words, std::map<std::string, std::string> texts,
         const py::object& on_progress, const py::object& on_explored) {
        const Answer answer = call(std::move(words), std::move(texts), on_progress, on_explored);
        return py::make_tuple(answer.code, answer.document, answer.interrupted);
      },
      py::arg("words"), py::arg("texts"), py::arg("on_progress") = py::none(),
      py::arg("on_explored") = py::none());
  using Machine =
      MachineText (*)(const std::string&, const std::vector<std::string>&, const Texts&);
  for (const auto& [name, function] :
       {std::pair<const char*, Machine>{"architecture_text", &architecture_text},
        {"device_text", &device_text}}) {
    m.def(
        name,
        [function = function](const std::string& source, const std::vector<std::string>& changes,
                              const Texts& texts) {
          MachineText machine = function(source, changes, texts);
          return py::make_tuple(machine.kind, machine.text, machine.warnings);
        },
        py::arg("source"), py::arg("changes"), py::arg("texts"));
  }
  m.def(
      "layer_text",
      [](const std::string& source, std::optional<std::int64_t> batch,
         std::map<std::string, std::int64_t> dims, bool skip_unsupported, const Texts& texts) {
        return layer_text(source, options_of(batch, std::move(dims), skip_unsupported), texts);
      },
      py::arg("source"), py::arg("batch"), py::arg("dims"), py::arg("skip_unsupported"),
      py::arg("texts"));
  m.def(
      "network_text",
      [](const std::string& source, std::optional<std::int64_t> batch,
         std::map<std::string, std::int64_t> dims, bool skip_unsupported, const Texts& texts) {
        return network_text(source, options_of(batch, std::move(dims), skip_unsupported), texts);
      },
      py::arg("source"), py::arg("batch"), py::arg("dims"), py::arg("skip_unsupported"),
      py::arg("texts"));
  m.def("presets", &presets);
}
