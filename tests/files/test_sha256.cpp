// The two implementations of SHA-256 against the standard's examples and against each other.
#include <doctest/doctest.h>

#include "files/sha256.hpp"
#include "pimbb-check/sha256.hpp"

TEST_CASE("published digests") {
  const std::pair<std::string, std::string> known[] = {
      {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
      {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
      {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
       "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
      {std::string(1000000, 'a'),
       "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"}};
  for (const auto& [text, digest] : known) {
    CHECK(pimbb::files::sha256(text) == digest);
    CHECK(pimbb_check::sha256(text) == digest);
  }
}

TEST_CASE("every length of padding") {
  std::string text;
  for (int n = 0; n < 200; ++n) {
    text += static_cast<char>(37 * n);  // bytes above 127 as well
    CHECK(pimbb::files::sha256(text) == pimbb_check::sha256(text));
  }
}
