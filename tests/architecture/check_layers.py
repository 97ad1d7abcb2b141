#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks who includes whom, and that the outside world is reached through the seams only."""
import re

from source_tree import LAYERS, code_only, cpp_files, find, includes, is_public_header, main, read

# Headers that are not the standard library's: in which layers they may be included, and there
# only in a .cpp or in internal/.
THIRD_PARTY = {
    r"caf/.*": ["actors", "simulation"],
    r"leveldb/.*": ["state"],
    r"google/protobuf/.*": ["checkpoint", "actors"],
    r"date/tz\.h": ["windowing"],
    r"zlib\.h": ["core"],
    r"(sys/.*|unistd\.h|fcntl\.h|dirent\.h|stdio\.h)": ["core", "examples"],
    r"sanitizer/asan_interface\.h": ["core", "state"],
    r"malloc\.h": ["actors"],
    r"cxxabi\.h": ["simulation"],
}

# By which examples that show their own recovery are killed where it matters.
TEST_HOOK = "actors/internal/job_starter.hpp"

# What a layer reaches only through core's seams (clock, file_system, io_executor, random).
SEAMS = {
    "thread": r"\bstd::(jthread|thread|async)\b(?!::hardware_concurrency)|\bpthread_create\b",
    "sleep": r"\b(sleep_for|sleep_until|usleep|nanosleep|sleep)\s*\(",
    "random": r"\brandom_device\b|\bstd::s?rand\s*\(",
    "clock": r"\b(chrono::system_clock|steady_clock|high_resolution_clock)\b|\bclock_gettime\b"
    r"|\b(std|chrono)::file_clock\b|\bgettimeofday\b",
    "file": r"\b(fopen|ofstream|ifstream|fstream)\b|\bstd::filesystem\b",
    "print": r"\bstd::(cout|cerr|clog)\b|\b(printf|puts)\s*\(|\bstd(out|err)\b",
    "exit": r"\bstd::(exit|abort|terminate|quick_exit|_Exit)\b|(?<![\w.:>])_?exit\s*\(",
}

# The files that are the seams, and what each of them may touch. May only shrink or follow a seam.
SEAM_FILES = {
    "core/system_clock.cpp": ["clock"],
    "core/thread_io_executor.cpp": ["thread"],
    "dataflow/data_stream.hpp": ["print"],  # print() is a user's wish to print
    "dataflow/global_stream.hpp": ["print"],  # the same
}


def third_party_complaint(path, header):
    for pattern, layers in THIRD_PARTY.items():
        if not re.fullmatch(pattern, header):
            continue
        if path.parts[0] not in layers:
            return f"<{header}> belongs to {' and '.join(l + '/' for l in layers)} only"
        if is_public_header(path):
            return f"<{header}> in a public header; hide it in a .cpp or internal/"
        return None
    if re.fullmatch(r"[a-z0-9_]+\.h", header):
        return f"<{header}> is not in the list of third-party headers; for C, write <c...>"
    if not re.fullmatch(r"[a-z0-9_]+", header):
        return f"<{header}> is not in the list of third-party headers"
    return None


def weir_include_complaint(path, layer, parts):
    target = parts[1]
    if target not in LAYERS:
        return f"there is no layer {target}/"
    if layer in LAYERS and target != layer and target not in LAYERS[layer]:
        return f"{layer}/ may not include {target}/"
    if parts[-1].endswith(".pb.h") and layer not in ("checkpoint", "actors", "tests", "bench"):
        return f"protobuf's messages belong to checkpoint/ and actors/, not to {layer}/"
    if parts[-1].endswith(".pb.h") and is_public_header(path):
        return "a public header includes protobuf's messages; hide them in a .cpp or internal/"
    if "internal" not in parts:
        return None
    if is_public_header(path):
        return f"a public header includes {'/'.join(parts)}, which is not installed"
    if target == layer or layer in ("tests", "bench"):
        return None
    if layer == "simulation" and target == "actors":
        return None
    if parts[0] == "weir" and "/".join(parts[1:]) == TEST_HOOK and path.parts[:2] == ("examples", "support"):
        return None
    return f"{'/'.join(parts)} is private to {target}/"


def include_complaint(root, path, quoted):
    layer = path.parts[0]
    header = quoted[1:-1]
    if quoted[0] == "<":
        return third_party_complaint(path, header) if layer in LAYERS or layer == "examples" else None
    parts = header.split("/")
    if parts[0] == "weir" and len(parts) >= 3 and ".." not in parts:
        return weir_include_complaint(path, layer, parts)
    if layer == "tests" and len(parts) > 1 and (root / "tests" / header).is_file():
        return None
    own = {"bench": ["bench"], "examples": ["examples"], "tests": ["examples"]}
    if parts[0] in own.get(layer, []) and (root / header).is_file():
        return None
    if layer in ("examples", "tests") and parts[:2] == ["examples", "support"] and (root / header).is_file():
        return None
    return f'write #include "weir/<layer>/<file>", not "{header}"'


def check_seams(root, path, complaints, used):
    code = code_only(read(root, path))
    for seam, pattern in SEAMS.items():
        for line, match in find(re.compile(pattern), code):
            if seam in SEAM_FILES.get(str(path), []):
                used.add((str(path), seam))
                continue
            complaints.append(
                f"{path}:{line}: {match.group(0).strip('( ')} outside the seam for: {seam}"
            )


def check_dependencies(root, complaints):
    """What CMake links is what may be included."""
    text = read(root, "CMakeLists.txt") if (root / "CMakeLists.txt").is_file() else ""
    for line, match in find(re.compile(r"^weir_layer\(([^)]*)\)", re.M), text):
        words = match.group(1).split()
        depends = []
        if "DEPENDS" in words:
            for word in words[words.index("DEPENDS") + 1 :]:
                if word.isupper():
                    break
                depends.append(word)
        if words[0] not in LAYERS:
            complaints.append(f"CMakeLists.txt:{line}: {words[0]}/ is not in the table of layers")
        elif sorted(depends) != sorted(LAYERS[words[0]]):
            complaints.append(f"CMakeLists.txt:{line}: {words[0]}/ depends on other layers than it may include")


def check_document(root, complaints):
    """The table that people read is the one that is checked."""
    path = root / "docs/architecture.md"
    text = read(root, path) if path.is_file() else ""
    for line, match in find(re.compile(r"^\| `(\w+)/` \| ([\w, ]*)\|", re.M), text):
        layer, included = match.group(1), re.findall(r"\w+", match.group(2))
        if LAYERS.get(layer) != included:
            complaints.append(f"docs/architecture.md:{line}: {layer}/ may include other layers than that")


def check(root):
    complaints = []
    used = set()
    for path in cpp_files(root):
        text = code_only(read(root, path), keep_strings=True)
        for line, quoted in includes(text):
            complaint = include_complaint(root, path, quoted)
            if complaint:
                complaints.append(f"{path}:{line}: {complaint}")
        if path.parts[0] in LAYERS:
            check_seams(root, path, complaints, used)
    for path, seams in SEAM_FILES.items():
        for seam in seams:
            if (root / path).exists() and (path, seam) not in used:
                complaints.append(f"{path}:1: no longer needs its allowance for: {seam}")
    check_dependencies(root, complaints)
    check_document(root, complaints)
    return complaints


SEEDS = {
    "docs/architecture.md": "| layer | may include |\n| `core/` | |\n| `state/` | core, dataflow | x |\n",
    "CMakeLists.txt": "weir_layer(core LINKS x::x)\nweir_layer(state DEPENDS core dataflow)\n",
    "core/error.cpp": "#include <caf/all.hpp>\n#include <vector>\n",
    "core/clock.cpp": "// std::chrono::system_clock in a comment\nauto a = std::chrono::system_clock::now();\n",
    "core/log.cpp": 'void f() { std::cerr << "std::thread"; }\nvoid g() { exit(1); }\n',
    "state/backend.hpp": "#include <leveldb/db.h>\n"
    '#include "weir/state/internal/leveldb_status.hpp"\n#include <stdint.h>\n',
    "state/backend.cpp": "#include <leveldb/db.h>\n#include <string>\n"
    '#include "weir/core/bytes.hpp"\n#include "weir/state/internal/leveldb_status.hpp"\n',
    "state/internal/leveldb_status.hpp": "#include <leveldb/status.h>\n",
    "windowing/time_window.hpp": '#include "weir/actors/node.hpp"\n#include "trigger.hpp"\n'
    '#include "weir/dataflow/../core/time.hpp"\n',
    "windowing/zone.cpp": "#include <date/tz.h>\n",
    "windowing/zone.hpp": "#include <date/tz.h>\n",
    "dataflow/zone.cpp": "#include <date/tz.h>\n",
    "windowing/trigger.cpp": '#include "weir/state/internal/leveldb_status.hpp"\n'
    "std::thread t; std::ifstream in; std::random_device d; auto n = std::chrono::steady_clock::now();\n",
    "dataflow/plan.cpp": '#include "weir/checkpoint/manifest.pb.h"\n#include <boost/any.hpp>\n',
    "simulation/cluster.cpp": '#include "weir/actors/internal/subtask.hpp"\n#include <caf/all.hpp>\n',
    "testing/kit.cpp": '#include "weir/nowhere/x.hpp"\nvoid f() { std::this_thread::sleep_for(1ms); }\n',
    "tests/actors/node_test.cpp": '#include <caf/all.hpp>\n#include "support/catch.hpp"\n'
    '#include "weir/actors/internal/subtask.hpp"\n',
    "tests/support/catch.hpp": "\n",
    "tests/core/x_test.cpp": '#include "catch.hpp"\n',
    "examples/support/words.hpp": "\n",
    "tests/examples/words_test.cpp": '#include "examples/support/words.hpp"\n',
    "core/words.cpp": '#include "examples/support/words.hpp"\n',
    "examples/support/lines.hpp": '#include "examples/support/none.hpp"\n',
    "tests/examples/x_test.cpp": '#include "examples/support/lines.hpp"\n',
    "examples/support/job.cpp": '#include <sys/wait.h>\n#include "weir/actors/internal/job_starter.hpp"\n',
    "examples/02_x.cpp": '#include "weir/actors/internal/job_starter.hpp"\n',
    "examples/01_x.cpp": '#include "weir/actors/internal/subtask.hpp"\n#include <iostream>\nint main() { std::cout << 1; }\n',
}
EXPECTED = [
    "examples/02_x.cpp:1: weir/actors/internal/job_starter.hpp is private to actors/",
    "docs/architecture.md:3: state/ may include",
    "CMakeLists.txt:2: state/ depends on",
    "core/error.cpp:1: <caf/all.hpp> belongs to actors/ and simulation/ only",
    "core/clock.cpp:2: chrono::system_clock outside",
    "core/log.cpp:1: std::cerr outside",
    "core/log.cpp:2: exit outside",
    "state/backend.hpp:1: <leveldb/db.h> in a public header",
    "state/backend.hpp:2: a public header includes weir/state/internal/leveldb_status.hpp",
    "state/backend.hpp:3: <stdint.h> is not",
    "windowing/time_window.hpp:1: windowing/ may not include actors/",
    'windowing/time_window.hpp:2: write #include "weir/<layer>/<file>", not "trigger.hpp"',
    "windowing/time_window.hpp:3: write",
    "windowing/zone.hpp:1: <date/tz.h> in a public header",
    "dataflow/zone.cpp:1: <date/tz.h> belongs to windowing/ only",
    "windowing/trigger.cpp:1: weir/state/internal/leveldb_status.hpp is private to state/",
    "windowing/trigger.cpp:2: std::thread outside",
    "windowing/trigger.cpp:2: ifstream outside",
    "windowing/trigger.cpp:2: random_device outside",
    "windowing/trigger.cpp:2: steady_clock outside",
    "dataflow/plan.cpp:1: dataflow/ may not include checkpoint/",
    "dataflow/plan.cpp:2: <boost/any.hpp> is not",
    "testing/kit.cpp:1: there is no layer nowhere/",
    "testing/kit.cpp:2: sleep_for outside",
    'tests/core/x_test.cpp:1: write #include "weir/<layer>/<file>", not "catch.hpp"',
    'core/words.cpp:1: write #include "weir/<layer>/<file>", not "examples/support/words.hpp"',
    "examples/support/lines.hpp:1: write",
    "examples/01_x.cpp:1: weir/actors/internal/subtask.hpp is private",
]

if __name__ == "__main__":
    main(check, SEEDS, EXPECTED)
