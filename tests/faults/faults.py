"""The faults. Each is one try: it disturbs one run of a command and returns a Try."""

import os
import resource
import signal
import subprocess
import time
from dataclasses import dataclass

from checks import (OLD, is_complete, left_behind, lost_units, unread, wrong_error, wrong_outputs)


@dataclass
class Try:
    hit: bool  # the fault came before the end of the run
    lost: str  # what went wrong
    left: int = 0  # temporary files that were left behind for the next run, by SIGKILL alone


PATIENCE = 120  # seconds, after which a run that should have ended is an error of its own


def default_signals():
    """A background job's children would ignore SIGINT."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def ended(process):
    """What a process wrote until its end, which has to come."""
    try:
        return process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        raise


def prepare(command, folder, draw):
    """Empties the folder; every other time there are files from before. Returns whether."""
    for path in folder.iterdir():
        path.unlink()
    before = draw.random() < 0.5
    for name in command.outputs if before else []:
        (folder / name).write_bytes(OLD)
    return before


def first(*problems):
    return next((problem for problem in problems if problem), "")


def not_cleared(command, folder):
    """The next run takes away what a killed one could not."""
    again = subprocess.run(command.line(folder), capture_output=True, check=False,
                           timeout=PATIENCE)
    return first(
        again.returncode != 0 and f"the next run ends with {again.returncode}",
        not is_complete(command, folder) and "the next run has other results",
        left_behind(command, folder) and f"left by the next run: {left_behind(command, folder)}")


def killed(command, folder, draw, which, share):
    """A signal after `share` of the command's time."""
    before = prepare(command, folder, draw)
    process = subprocess.Popen(command.line(folder), stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, preexec_fn=default_signals)
    time.sleep(share * command.seconds)
    process.send_signal(which)
    stdout, stderr = ended(process)
    hit = process.returncode != 0
    # Before main() has begun, and after it has ended, no handler turns it into a status.
    statuses = (-which,) if which == signal.SIGKILL else (128 + which, -which)
    left = left_behind(command, folder)
    lost = first(
        hit and process.returncode not in statuses and f"status {process.returncode}",
        not hit and not is_complete(command, folder) and "status 0 without the results",
        unread(stderr) and f"standard error: {unread(stderr)}",
        wrong_outputs(command, folder, before),
        left and which != signal.SIGKILL and f"left behind: {left}",
        [name for name in left if not name.endswith(".tmp")] and f"left behind: {left}",
        command.journal and lost_units(command, folder, stdout),
        left and not_cleared(command, folder))
    return Try(hit, lost, len(left))


def refused(command, folder, before, done, reason):
    """What has to be true after a write that failed."""
    return first(
        done.returncode != 1 and f"status {done.returncode}",
        wrong_error(done.stderr, reason),
        wrong_outputs(command, folder, before),
        left_behind(command, folder) and f"left behind: {left_behind(command, folder)}")


def largest_output(command):
    return max(len(content) for content in command.expected.values())


def file_limit(command, folder, draw, share):
    """No file may grow beyond a part of the largest one."""
    before = prepare(command, folder, draw)
    limit = int(share * largest_output(command))

    def limit_files():
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))

    done = subprocess.run(command.line(folder), capture_output=True, check=False,
                          timeout=PATIENCE, preexec_fn=limit_files)
    lost = refused(command, folder, before, done, "File too large")
    return Try(True, first(lost, command.journal and lost_units(command, folder, done.stdout)))


def can_mount(folder):
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", folder],
                             capture_output=True, check=False).returncode == 0
    if mounted:
        subprocess.run(["umount", folder], check=True)
    return mounted


def full_disk(command, folder, draw, share):
    """A file system that is too small for all outputs together."""
    page = os.sysconf("SC_PAGESIZE")
    pages = sum(-(-len(content) // page) for content in command.expected.values())
    size = page * max(1, int(share * (pages - 1)))
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "none", folder], check=True)
    try:
        done = subprocess.run(command.line(folder), capture_output=True, check=False,
                              timeout=PATIENCE)
        lost = refused(command, folder, False, done, "No space left on device")
        subprocess.run(["mount", "-o", "remount,size=64m", folder], check=True)
        lost = first(lost, command.journal and lost_units(command, folder, done.stdout))
        return Try(True, lost)
    finally:
        subprocess.run(["umount", folder], check=True)


def full_standard_output(command, folder, draw, share):
    before = prepare(command, folder, draw)
    with open("/dev/full", "wb") as full:
        done = subprocess.run(command.line(folder, command.to_stdout), stdout=full, check=False,
                              stderr=subprocess.PIPE, timeout=PATIENCE)
    return Try(True, refused(command, folder, before, done, "No space left on device"))


def closed_standard_output(command, folder, draw, share):
    """No file may take the place of the standard output that is not there."""
    before = prepare(command, folder, draw)
    done = subprocess.run(command.line(folder, command.to_stdout), stderr=subprocess.PIPE,
                          check=False, timeout=PATIENCE, preexec_fn=lambda: os.close(1))
    return Try(True, refused(command, folder, before, done, "Bad file descriptor"))


def closed_pipe(command, folder, draw, share):
    """The reader takes a part of what fits in no pipe, then goes away."""
    before = prepare(command, folder, draw)
    words = command.line(folder, command.to_stdout)
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               preexec_fn=default_signals)
    if command.to_stdout:
        process.stdout.read(int(share * 100000))
    process.stdout.close()
    process.stdout = None
    stderr = ended(process)[1]
    lost = first(
        process.returncode not in (128 + signal.SIGPIPE, -signal.SIGPIPE)
        and f"status {process.returncode}",
        unread(stderr) and f"standard error: {unread(stderr)}",
        wrong_outputs(command, folder, before),
        left_behind(command, folder) and f"left behind: {left_behind(command, folder)}",
        command.journal and lost_units(command, folder, b""))
    return Try(True, lost)


def unwritable(command, folder, draw, share):
    """The folder of the outputs is not there, or is a file."""
    prepare(command, folder, draw)
    for name in command.outputs:
        (folder / name).write_bytes(OLD)
    file = folder / command.outputs[0]
    place, reason = file, "Not a directory"
    if share < 0.5 and not command.journal:  # which makes its folder
        place, reason = folder / "absent", "No such file or directory"
    done = subprocess.run(command.line(place), capture_output=True, check=False,
                          timeout=PATIENCE)
    return Try(True, refused(command, folder, True, done, reason))
