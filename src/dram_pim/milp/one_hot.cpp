// Joint choices by their marginals.
#include "dram_pim/milp/one_hot.hpp"

#include <map>

namespace pimbb::dram_pim::milp {
namespace {

Key times(Key a, const Key& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] *= b[i];
  return a;
}

Choice from(std::map<Key, Sum>&& options) {
  Choice choice;
  for (auto& [key, when] : options) choice.push_back({key, std::move(when)});
  return choice;
}

/// A choice without the options that are not admitted, which must not be taken.
Choice restricted(ProgramBuilder& program, const std::string& subject, const Choice& choice,
                  const Admits& admits) {
  Choice result;
  for (const Option& option : choice) {
    if (admits(option.key)) {
      result.push_back(option);
    } else {
      program.row(subject, option.when, Sense::equal, 0);
    }
  }
  return result;
}

Choice scaled(const Choice& choice, const Key& factor) {
  return rekeyed(choice, [&](const Key& key) { return times(key, factor); });
}

/// sum of `parts` compared with `whole`.
void marginal(ProgramBuilder& program, const std::string& subject, Sum parts, Sense sense,
              const Sum& whole) {
  add(parts, whole, -1);
  program.row(subject, std::move(parts), sense, 0);
}

}  // namespace

Choice decide(ProgramBuilder& program, const std::string& subject,
              std::vector<std::pair<std::string, Key>> options) {
  if (options.size() == 1) return certain(std::move(options[0].second));
  std::map<Key, Sum> taken;
  Sum all;
  for (auto& [name, key] : options) {
    const Column column = program.binary(name);
    all.push_back({column, 1});
    taken[std::move(key)] = {{column, 1}};
  }
  program.row(subject, all, Sense::equal, 1);
  return from(std::move(taken));
}

Choice whether(const Sum& decision, Key yes, Key no) {
  std::map<Key, Sum> options;
  add(options[std::move(yes)], decision);
  add(options[std::move(no)], complement(decision));
  return from(std::move(options));
}

Choice rekeyed(const Choice& choice, const std::function<Key(const Key&)>& key) {
  std::map<Key, Sum> options;
  for (const Option& option : choice) add(options[key(option.key)], option.when);
  return from(std::move(options));
}

Choice joint(ProgramBuilder& program, const std::string& subject, const Choice& a, const Choice& b,
             const Sum& mass, const Admits& admits) {
  const bool always = mass == certainty();
  if (always && a.size() == 1) return restricted(program, subject, scaled(b, a[0].key), admits);
  if (always && b.size() == 1) return restricted(program, subject, scaled(a, b[0].key), admits);
  std::map<Key, Sum> merged;
  std::vector<Sum> of_a(a.size());
  std::vector<Sum> of_b(b.size());
  Sum all;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t k = 0; k < b.size(); ++k) {
      Key key = times(a[i].key, b[k].key);
      if (!admits(key)) continue;
      const Term pair{program.joint(subject + "." + std::to_string(program.columns())), 1};
      for (Sum* sum : {&of_a[i], &of_b[k], &all, &merged[std::move(key)]}) sum->push_back(pair);
    }
  }
  const Sense sense = always ? Sense::equal : Sense::at_most;
  for (std::size_t i = 0; i < a.size(); ++i) marginal(program, subject, of_a[i], sense, a[i].when);
  for (std::size_t k = 0; k < b.size(); ++k) marginal(program, subject, of_b[k], sense, b[k].when);
  if (!always) marginal(program, subject, all, Sense::equal, mass);
  return from(std::move(merged));
}

Choice product(ProgramBuilder& program, const std::string& subject,
               const std::vector<Choice>& parts, const Admits& admits) {
  Choice result = parts.front();
  for (std::size_t i = 1; i < parts.size(); ++i) {
    result = joint(program, subject, result, parts[i], certainty(), admits);
  }
  return parts.size() == 1 ? restricted(program, subject, result, admits) : result;
}

std::vector<Choice> split(ProgramBuilder& program, const std::string& subject, const Choice& choice,
                          const std::vector<Sum>& bits, const Admits& admits) {
  if (bits.size() == 1 && bits[0] == certainty()) {
    return {restricted(program, subject, choice, admits)};
  }
  std::vector<Choice> result(bits.size());
  std::vector<Sum> all(bits.size());
  for (const Option& option : choice) {
    if (!admits(option.key)) continue;
    Sum together;
    for (std::size_t k = 0; k < bits.size(); ++k) {
      const Term part{program.joint(subject + "." + std::to_string(program.columns())), 1};
      together.push_back(part);
      all[k].push_back(part);
      result[k].push_back({option.key, {part}});
    }
    marginal(program, subject, together, Sense::at_most, option.when);
  }
  for (std::size_t k = 0; k < bits.size(); ++k) {
    marginal(program, subject, all[k], Sense::equal, bits[k]);
  }
  return result;
}

Sum expectation(const Choice& choice, const std::function<Int128(const Key&)>& value) {
  Sum sum;
  for (const Option& option : choice) add(sum, option.when, value(option.key));
  return sum;
}

}  // namespace pimbb::dram_pim::milp
