"""What has to be true after a fault. Each check returns what is wrong, or nothing."""

import re
import subprocess

OLD = b"the file of this name from before\n"


def wrong_outputs(command, folder, before):
    """Every output is there as a whole, or as it was before: there only where `before`."""
    for name in command.outputs:
        path = folder / name
        now = path.read_bytes() if path.exists() else None
        if now not in (command.expected[name], OLD if before else None):
            return f"{name} is neither what it was nor complete"
    return ""


def is_complete(command, folder):
    return all((folder / name).exists() and (folder / name).read_bytes() == command.expected[name]
               for name in command.outputs)


def left_behind(command, folder):
    """Files that no command should leave."""
    known = {*command.outputs, command.journal}
    return sorted(path.name for path in folder.iterdir() if path.name not in known)


def unread(stderr):
    """The messages other than those about how a table was read."""
    lines = stderr.decode().splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith("read: "))


def wrong_error(stderr, reason):
    """One line that says what went wrong."""
    text = unread(stderr)
    if text.count("\n") != 1 or not text.startswith("error: ") or reason not in text:
        return f"standard error is {text!r}, expected one line with {reason!r}"
    return ""


def finished_units(log):
    """How many units of work the command said it had finished, line by line."""
    return len(re.findall(rb": \d+\.\d s\n", log))


def lost_units(command, folder, log):
    """What was reported as finished is in the journal, and the next run continues to the end."""
    journal = folder / command.journal
    text = journal.read_bytes() if journal.exists() else b""
    kept = sum(line.startswith(b"end ") for line in text.splitlines())
    if kept < finished_units(log):
        return f"{finished_units(log)} units were finished, {kept} are in the journal"
    if not command.expected[command.journal].startswith(text[:text.rfind(b"end ")]):
        return "the journal differs from that of an undisturbed run"
    again = subprocess.run(command.line(folder), capture_output=True, check=False)
    if again.returncode != 0:
        return f"the next run ends with {again.returncode}: {again.stderr.decode()}"
    if kept + finished_units(again.stdout) != finished_units_of(command):
        return "the next run did finished work again"
    if (folder / command.journal).read_bytes() != command.expected[command.journal]:
        return "the journal of the two runs differs from that of one"
    return "" if is_complete(command, folder) else "the next run has other results"


def finished_units_of(command):
    return sum(line.startswith(b"end ")
               for line in command.expected[command.journal].splitlines())
