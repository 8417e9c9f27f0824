# What the scripts share: the project's root, steps that say what they do and how long they take, the
# release build and the one of the edit loop. Sourced, not run.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
release=$root/build/release
dev=$root/build/dev
fast_share=10  # per cent of the random cases that the fast suite runs

# step TITLE EXPECTATION COMMAND...: runs COMMAND and reports the seconds it took. Returns its status.
step() {
  local title=$1 expectation=$2 start=$EPOCHREALTIME status=0
  shift 2
  printf '==> %s (%s)\n' "$title" "$expectation"
  "$@" || status=$?
  printf '    %s: %s after %s s\n' "$title" "$([[ $status == 0 ]] && echo done || echo FAILED)" \
    "$(seconds_since "$start")"
  return "$status"
}

# Seconds since an earlier EPOCHREALTIME, one decimal.
seconds_since() {
  awk -v from="$1" -v to="$EPOCHREALTIME" 'BEGIN { printf "%.1f", to - from }'
}

# configure DIR OPTION...: a build directory of the project, made once. Meson's report is shown only
# if it fails.
configure() {
  local dir=$1 report
  shift
  if [[ -f $dir/build.ninja ]]; then
    echo "    already configured: ${dir#"$root"/}"
  elif ! report=$(meson setup "$dir" "$root" "$@" 2>&1); then
    echo "$report"
    return 1
  fi
}

# Many files a translation unit: a third of the time to compile. (g++ then takes what is local to a
# file for something of a header, and warns.)
unity=(-Dunity=on -Dunity_size=48)

configure_release() {
  step 'Configure release' 'a few seconds' configure "$release" --buildtype=release \
    "${unity[@]}" -Dcpp_args=-Wno-subobject-linkage
}

# Builds under sanitizers (tools/test, tools/fuzz).
# Tests with -O0, what they call most with -O1 (busy_optimization of meson.build): instrumented code takes
# more than twice as long to compile with -O1, more than most tests save. The first finding ends a program,
# and there are no line tables (a report names functions; `meson configure BUILD -Ddebug=true` adds lines):
# each saves a tenth of the time to compile. So does leaving out the checks of each access for null pointers
# and alignment: the address sanitizer and the processor stop at the former, the latter cannot go wrong
# without casts. Stack frames that live on after a function has returned would cost a tenth of the time to
# compile and a fifth of the time to run; what returns a reference to a local variable is left to the
# compiler's and clang-tidy's warnings. Assertions are on; warnings are the release build's.
access_checks=null,alignment,object-size,vptr,pointer-overflow,nonnull-attribute,returns-nonnull-attribute
sanitized=("${unity[@]}" -Doptimization=0 -Ddebug=false
  "-Dcpp_args=-fno-omit-frame-pointer -fno-sanitize-recover=all -fno-sanitize=$access_checks -mllvm -asan-use-after-return=never -fsanitize-ignorelist=$root/tools/sanitizers.ignore"
  -Db_ndebug=false -Db_lundef=false -Dwarning_level=0 -Dwerror=false
  -Dbench=disabled)

configure_sanitized() { CXX=clang++ CXX_LD=lld configure "$@" "${sanitized[@]}"; }

# For tools/dev and tools/soak: quick to compile file by file, and to link.
configure_dev() {
  CXX_LD=lld configure "$dev" -Doptimization=1 -Ddebug=false -Db_ndebug=false -Dbench=disabled
}

install_packages() {
  step 'Debian packages' 'nothing to do if all are there, else about a minute' \
    "$root/tools/install-packages"
}
