// Instructions that both streams have: multiplications, sums within a core and between cores.
#include "crossbar/schedule/builder.hpp"

#include <limits>

namespace pimbb::crossbar::schedule {
namespace {

enum WorkKind : int { memory_kind, bus_kind, far_kind, vector_kind, no_kind };
constexpr std::size_t kAddedBetweenChecks = 1 << 16;
/// Of an instruction, with what the simulator keeps for it.
constexpr std::uint64_t kBytesOfInstruction = sizeof(Instruction) + 24;

}  // namespace

std::vector<std::vector<RunningPart>> StreamBuilder::parts(
    const std::vector<partition::Placement>& placements) {
  std::vector<std::vector<RunningPart>> all;
  Index slot = 0;
  for (std::size_t v = 0; v < placements.size(); ++v) {
    const std::int64_t channels = p_.node(p_.arrays[v]).out.channels;
    std::vector<RunningPart>& of_array = all.emplace_back();
    Index first = 0;
    for (const partition::Part& part : placements[v].parts) {
      RunningPart& at = of_array.emplace_back();
      at.array = v;
      at.part = part;
      at.first = first;
      at.slot = slot;
      at.result = no_work(channels);
      at.pass = vector_work(channels, 1);
      at.transfer = bus_work(channels, far(part.core, part.home));
      first += static_cast<Index>(part.groups);
      slot += static_cast<Index>(part.groups);
    }
  }
  return all;
}

Index StreamBuilder::add(const Instruction& instruction) {
  std::vector<Instruction>& all = stream_.instructions;
  if (all.size() % kAddedBetweenChecks == 0) {
    guard_.check();
    guard_.need((all.size() + kAddedBetweenChecks) * kBytesOfInstruction);
    const auto most = static_cast<std::size_t>(std::numeric_limits<Index>::max());
    if (all.size() + kAddedBetweenChecks > most) throw run::TooLarge(run::kUnlimited);
  }
  all.push_back(instruction);
  return static_cast<Index>(all.size() - 1);
}

Index StreamBuilder::work(int kind, std::int64_t elements, std::int64_t passes) {
  const auto [at, is_new] =
      works_.try_emplace({kind, elements, passes}, static_cast<Index>(stream_.works.size()));
  if (!is_new) return at->second;
  Work work{a_.bytes(elements), 0, 0};
  switch (kind) {
    case memory_kind: work.time = transfer_time(work.bytes, a_.bandwidth.memory); break;
    case far_kind: work.link = transfer_time(work.bytes, a_.bandwidth.link); [[fallthrough]];
    case bus_kind: work.time = transfer_time(work.bytes, a_.bandwidth.bus); break;
    case vector_kind:
      work.time = passes * a_.vector_pass(work.bytes);
      work.bytes *= passes;
      break;
    default: break;
  }
  stream_.works.push_back(work);
  return at->second;
}

Index StreamBuilder::memory_work(std::int64_t elements) { return work(memory_kind, elements, 1); }
Index StreamBuilder::bus_work(std::int64_t elements, bool far) {
  return work(far ? far_kind : bus_kind, elements, 1);
}
Index StreamBuilder::vector_work(std::int64_t elements, std::int64_t passes) {
  return work(vector_kind, elements, passes);
}
Index StreamBuilder::no_work(std::int64_t elements) { return work(no_kind, elements, 1); }

Instruction StreamBuilder::basic(Opcode op, Unit unit, const RunningPart& at, Index window) const {
  Instruction i;
  i.op = op;
  i.unit = unit;
  i.core = static_cast<Index>(at.part.core);
  i.node = static_cast<Index>(p_.arrays[at.array].node);
  i.window = window;
  i.ag = at.first;
  return i;
}

void StreamBuilder::multiply(const RunningPart& at, Index g, Index window, GroupState& group) {
  Instruction i = basic(Opcode::mvm, Unit::mvm, at, window);
  i.ag += g;
  i.work = at.result;
  i.after = {group.mvm, group.load};
  group.before = group.mvm;
  group.mvm = add(i);
}

void StreamBuilder::read_by(GroupState& group, Index reader) {
  group.reader = reader;
  (*this)[group.mvm].reader = reader;
}

void StreamBuilder::reduce(RunningPart& at, Index window, GroupState* groups) {
  at.sum = groups[0].mvm;
  const auto count = static_cast<Index>(at.part.groups);
  for (Index g = 1; g < count; ++g) {
    Instruction i = basic(Opcode::vvadd, Unit::vec, at, window);
    i.ag += g;
    i.work = at.pass;
    i.after = {at.sum, groups[g].mvm};
    at.sum = add(i);
    (*this)[groups[g].mvm].reader = at.sum;
    if (reuse_ && g + 2 < count) (*this)[groups[g + 2].mvm].until = at.sum;
  }
  if (at.part.at_home()) return;
  Instruction i = basic(Opcode::send, Unit::dma, at, window);
  i.peer = static_cast<Index>(at.part.home);
  i.work = at.transfer;
  i.after[0] = at.sum;
  at.message = add(i);
  read_by(groups[0], at.message);
}

void StreamBuilder::receive(RunningPart& home, RunningPart& other, Index window) {
  Instruction i = basic(Opcode::recv, Unit::vec, home, window);
  i.ag = other.first;
  i.peer = static_cast<Index>(other.part.core);
  i.work = home.result;
  i.after[0] = other.message;
  const Index received = add(i);
  i.op = Opcode::vvadd;
  i.peer = kNone;
  i.work = home.pass;
  i.after = {home.sum, received};
  home.sum = add(i);
  (*this)[received].reader = home.sum;
}

Index StreamBuilder::activate(RunningPart& home, Index window) {
  Instruction i = basic(Opcode::act, Unit::vec, home, window);
  i.work = home.pass;
  i.after[0] = home.sum;
  return home.sum = add(i);
}

Index StreamBuilder::store(const RunningPart& home, Index window, Index result) {
  Instruction i = basic(Opcode::st, Unit::dma, home, window);
  i.work = memory_work(p_.node(p_.arrays[home.array]).out.channels);
  i.after[0] = result;
  return add(i);
}

}  // namespace pimbb::crossbar::schedule
