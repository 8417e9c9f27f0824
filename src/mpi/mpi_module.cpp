// Messages by Open MPI, and the only symbol of the module.
//
// Open MPI's error handler ends all processes, so no return value is looked at. If a process dies,
// mpirun says which one and ends the others.
#include "mpi/mpi_module.hpp"

#define OMPI_SKIP_MPICXX  // the C functions only
#include <mpi.h>

#include <list>

namespace pimbb::mpi {
namespace {

class MpiRanks final : public Ranks {
 public:
  MpiRanks() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &count_);
  }
  ~MpiRanks() override {
    for (Sent& sent : sent_) MPI_Wait(&sent.request, MPI_STATUS_IGNORE);
    MPI_Finalize();
  }
  MpiRanks(const MpiRanks&) = delete;
  MpiRanks& operator=(const MpiRanks&) = delete;

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int count() const override { return count_; }

  /// Does not wait for the receiver: two that send to each other would wait forever.
  void send(int to, int tag, const std::string& text) override {
    forget_received();
    Sent& sent = sent_.emplace_back();
    sent.text = text;
    MPI_Isend(sent.text.data(), static_cast<int>(sent.text.size()), MPI_CHAR, to, tag,
              MPI_COMM_WORLD, &sent.request);
  }

  std::optional<Message> receive(int tag) override {
    forget_received();
    int there = 0;
    MPI_Status status{};
    MPI_Iprobe(MPI_ANY_SOURCE, tag < 0 ? MPI_ANY_TAG : tag, MPI_COMM_WORLD, &there, &status);
    if (there == 0) return std::nullopt;
    int size = 0;
    MPI_Get_count(&status, MPI_CHAR, &size);
    Message message{status.MPI_SOURCE, status.MPI_TAG,
                    std::string(static_cast<std::size_t>(size), '\0')};
    MPI_Recv(message.text.data(), size, MPI_CHAR, message.from, message.tag, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    return message;
  }

 private:
  struct Sent {
    std::string text;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  void forget_received() {
    std::erase_if(sent_, [](Sent& sent) {
      int done = 0;
      MPI_Test(&sent.request, &done, MPI_STATUS_IGNORE);
      return done != 0;
    });
  }

  int rank_ = 0;
  int count_ = 1;
  std::list<Sent> sent_;  // texts that are not received yet
};

std::unique_ptr<Ranks> open() { return std::make_unique<MpiRanks>(); }

}  // namespace
}  // namespace pimbb::mpi

extern "C" {
[[gnu::visibility("default")]] extern const pimbb::mpi::MpiModule pimbb_mpi_module;
const pimbb::mpi::MpiModule pimbb_mpi_module{PIMBB_VERSION, sizeof(pimbb::Ranks::Message),
                                             &pimbb::mpi::open};
}
