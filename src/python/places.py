"""places.py PREFIX MODULES: the directory under PREFIX where this Python looks for packages, then the way from a
package in it to the directory MODULES, which is relative to PREFIX."""

import os.path
import sys
import sysconfig

prefix, modules = sys.argv[1:]
schemes = sysconfig.get_scheme_names()
if prefix == "/usr" and "deb_system" in schemes:
    scheme = "deb_system"  # what Debian's packages install
elif prefix == "/usr/local" and "posix_local" in schemes:
    scheme = "posix_local"
else:
    scheme = "posix_prefix"
# The scheme posix_local adds "local" to the base by itself.
base = os.path.dirname(prefix) if scheme == "posix_local" else prefix
place = sysconfig.get_path("platlib", scheme, {"base": base, "platbase": base, "installed_base": base})
print(place)
print(os.path.relpath(os.path.join(prefix, modules), os.path.join(place, "pimbb")))
