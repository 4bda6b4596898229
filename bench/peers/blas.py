"""Finds the kernels that OpenBLAS chose, and sets better ones if it did not recognize the processor."""

import os
import re
import subprocess
import sys

# Cores without AVX2: the fallback of OpenBLAS for processors that it does not know.
OLD_CORES = {"prescott", "core2", "penryn", "dunnington", "nehalem", "atom", "sandybridge", "katmai", "coppermine",
             "northwood", "banias", "athlon", "opteron", "opteron_sse3", "barcelona", "bobcat", "bulldozer",
             "piledriver", "generic"}

# NumPy, SciPy and FAISS each bring their own version.
PROBE = """
import faiss, numpy, scipy.linalg, threadpoolctl
print(*[library["architecture"] for library in threadpoolctl.threadpool_info() if library["user_api"] == "blas"])
"""


def cores():
    """The cores of all copies of OpenBLAS."""
    return subprocess.run([sys.executable, "-c", PROBE], check=True, stdout=subprocess.PIPE, text=True).stdout.split()


def processor_flags():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            match = re.search(r"^flags\s*: (.*)$", file.read(), re.MULTILINE)
            return set(match[1].split()) if match else set()
    except OSError:
        return set()


def choose_core(own_core):
    """Sets OPENBLAS_CORETYPE unless it is set or all copies recognized the processor."""
    unrecognized = [core for core in (*cores(), own_core) if core.lower() in OLD_CORES]
    flags = processor_flags()
    if not unrecognized or "avx2" not in flags or "OPENBLAS_CORETYPE" in os.environ:
        return
    os.environ["OPENBLAS_CORETYPE"] = "SkylakeX" if "avx512vl" in flags else "Haswell"
    print(f"OpenBLAS chose {unrecognized[0]} on a processor with AVX2: "
          f"measuring with OPENBLAS_CORETYPE={os.environ['OPENBLAS_CORETYPE']}", flush=True)
