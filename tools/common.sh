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

# For tools/dev and tools/soak: quick to compile file by file, and to link.
configure_dev() {
  CXX_LD=lld configure "$dev" -Doptimization=1 -Ddebug=false -Db_ndebug=false -Dbench=disabled
}

install_packages() {
  step 'Debian packages' 'nothing to do if all are there, else about a minute' \
    "$root/tools/install-packages"
}
