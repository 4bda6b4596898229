#!/usr/bin/env python3
"""The ten most likely mistakes of each verb, and the messages of the command.

messages.py BISECTOR PAGE          makes every mistake and compares the messages with the page
messages.py BISECTOR PAGE --write  writes the page

A message is one line that says where, what is wrong and what to type instead. The status is 1 for
files and 2 for the command line, and no file is left behind.
"""

import os
import random
import shlex
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

# Words of the parser or the system, which no message should have.
FOREIGN = ("required", "TEXT", "subcommand", "Could not convert", "not expected", "std::", "what():",
           "basic_string", "vector::", "bad_alloc", "filesystem error")

# Verb, what happened, what was typed.
MISTAKES = {
    "bisector": [
        ("a verb that is misspelt", "exlpain wine.npz new.csv"),
        ("a verb of another program", "fit wine.csv"),
        ("an option before the verb", "--threads 2 explain wine.npz new.csv"),
        ("an option that no verb has", "--verbose explain wine.npz new.csv"),
        ("help for a verb that is misspelt", "help pedict"),
        ("help for a method", "help lrp"),
        ("help for two verbs", "help explain predict"),
        ("completion for a shell", "completion fish"),
        ("a file in the place of a verb", "wine.npz new.csv"),
        ("a demo into a file", "demo -o wine.csv"),
    ],
    "train": [
        ("no target", "train wine.csv --model svm -o m.npz"),
        ("a target that is no column", "train wine.csv --target grade --model svm -o m.npz"),
        ("classes of a measurement", "train wine.csv --target alcohol --model svm -o m.npz"),
        ("an unknown kind of model", "train wine.csv --target quality --model forest -o m.npz"),
        ("a target for a detector", "train wine.csv --target quality --model oneclass -o m.npz"),
        ("a score of numbers for classes", "train wine.csv --target color --tune --tune-for r2 -o m.npz"),
        ("an output with another extension", "train wine.csv --target quality --model svm -o m.pkl"),
        ("a file that is not there", "train wien.csv --target quality --model svm -o m.npz"),
        ("a parameter that another model has", "train wine.csv --target quality --model knn --gamma 1 -o m.npz"),
        ("a threshold beyond all values", "train wine.csv --target quality --drop color --model svm --above 50 -o m.npz"),
        ("values to choose from, without tuning", "train wine.csv --target quality --model svm --gamma 1,2 -o m.npz"),
        ("a parameter that a kernel does not have", "train wine.csv --target color --kernel linear:degree=2 -o m.npz"),
        ("a metric without its parameter", "train wine.csv --target color --model knn --metric minkowski -o m.npz"),
        ("a type of columns that there is not", "train wine.csv --target color --type acid=text -o m.npz"),
        ("a fraction to hold out in per cent", "train wine.csv --target quality --model krr --holdout 20 -o m.npz"),
        ("more rows than a limit allows", "train wine.csv --target alcohol --model krr --limit rows=20 -o m.npz"),
        ("more classes than a limit allows", "train wine.csv --target color --model svm --limit classes=1 -o m.npz"),
        ("dates that could be read in two ways", "train dates.csv --target y -o m.npz"),
        ("percentages and fractions in one column", "train rates.csv --target y -o m.npz"),
        ("rows left out by an older word", "train wine.csv --target color --missing drop -o m.npz"),
        ("a model file that is there and was not named", "train wine.csv --target color"),
        ("classes for a regressor", "train wine.csv --target color --drop quality --model krr -o m.npz"),
    ],
    "explain": [
        ("no data", "explain wine.npz"),
        ("model and data exchanged", "explain new.csv wine.npz"),
        ("a model that is not there", "explain wine.model new.csv"),
        ("a column that the model needs is missing", "explain wine.npz short.csv"),
        ("text in a column of numbers", "explain wine.npz text.csv"),
        ("a line that is cut off", "explain wine.npz ragged.csv"),
        ("an option that is misspelt", "explain wine.npz new.csv --methd lrp"),
        ("a method that there is not", "explain wine.npz new.csv --method shap"),
        ("a class that there is not", "explain wine.npz new.csv --class good"),
        ("an output of an unknown kind", "explain wine.npz new.csv -o why.xlsx"),
        ("an option without its value", "explain wine.npz new.csv --top"),
        ("a number out of range", "explain wine.npz new.csv --method lrp:eta=2"),
        ("a number that is not chosen automatically",
         "explain wine.npz new.csv --method lrp-expected:references=auto"),
        ("a parameter of another method", "explain wine.npz new.csv --method lrp:steps=5"),
        ("a parameter that no method has", "explain wine.npz new.csv --method lrp:etta=0.5"),
        ("a parameter without its value", "explain wine.npz new.csv --method lrp:eta"),
        ("an option twice", "explain wine.npz new.csv --top 1 --top 2"),
        ("evidence in a matrix", "explain wine.npz new.csv --evidence 3 -o why.npy"),
        ("a group of a column that there is not", "explain wine.npz new.csv --groups groups.json"),
        ("text into a table", "explain wine.npz new.csv --text -o why.csv"),
        ("a kept column with text", "explain wine.npz new.csv --text --keep acid"),
        ("too many references", "explain wine.npz new.csv --method lrp-expected:references=1e6"),
        ("too many steps", "explain wine.npz new.csv --method ig:steps=1e9"),
        ("too many sequences", "explain wine.npz new.csv --method shapley:sequences=1e12"),
        ("a class for a model of numbers", "explain price.npz new.csv --class good"),
        ("a class in the place of a number", "explain price.npz new.csv --versus good"),
        ("a row that is cut off", "explain wine.npz ragged.csv --row 3"),
        ("interactions by another method", "explain wine.npz new.csv --interactions --method lrp"),
        ("an ONNX model", "explain wine.onnx new.csv"),
        ("a Parquet file", "explain wine.npz new.parquet"),
        ("JSON lines", "explain wine.npz new.jsonl"),
        ("an ARFF file", "explain wine.npz new.arff"),
        ("a table packed by xz", "explain wine.npz new.csv.xz"),
        ("a table packed by bzip2", "explain wine.npz new.csv.bz2"),
    ],
    "flip": [
        ("no data", "flip wine.npz"),
        ("a column that the model does not have", "flip wine.npz new.csv --fix grade"),
        ("a class that there is not", "flip wine.npz new.csv --to excellent"),
        ("a regressor without a value to reach", "flip price.npz new.csv"),
        ("a value to reach that is no number", "flip price.npz new.csv --to cheap"),
        ("a row that there is not", "flip wine.npz new.csv --row 9999"),
        ("no answers", "flip wine.npz new.csv --count 0"),
        ("a format that there is not", "flip wine.npz new.csv --format npy"),
        ("data in the place of the model", "flip wine.csv new.csv"),
        ("a background that is not there", "flip wine.npz new.csv --background tain.csv"),
    ],
    "predict": [
        ("no data", "predict wine.npz"),
        ("data in the place of the model", "predict wine.csv new.csv"),
        ("data that are not there", "predict wine.npz nwe.csv"),
        ("a column that the model needs is missing", "predict wine.npz short.csv"),
        ("text in a column of numbers", "predict wine.npz text.csv"),
        ("a folder in the place of the output", "predict wine.npz new.csv -o folder"),
        ("an output in a folder that is not there", "predict wine.npz new.csv -o results/out.csv"),
        ("a third file", "predict wine.npz new.csv out.csv"),
        ("neighbors without a target", "predict --knn 3 wine.csv new.csv"),
        ("a format that there is not", "predict wine.npz new.csv --format xml"),
        ("an empty file", "predict wine.npz empty.csv"),
    ],
    "score": [
        ("data without the target", "score wine.npz new.csv"),
        ("a target that is no column", "score wine.npz wine.csv --target grade"),
        ("a target that is empty everywhere", "score wine.npz blank.csv"),
        ("classes as the actual values of a regressor", "score price.npz wine.csv --target color"),
        ("no data", "score wine.npz"),
        ("a model that is not there", "score wines.npz wine.csv"),
        ("data in the place of the model", "score wine.csv wine.csv"),
        ("a metric as an option", "score wine.npz wine.csv --accuracy"),
        ("JSON into a file by its option", "score wine.npz wine.csv --json=score.json"),
        ("text in a column of numbers", "score wine.npz text.csv --target quality"),
    ],
    "evaluate": [
        ("no data", "evaluate wine.npz"),
        ("a method that there is not", "evaluate wine.npz new.csv --method lrp --method shap"),
        ("a background that is not there", "evaluate wine.npz new.csv --background tain.csv"),
        ("relevance of other rows", "evaluate wine.npz new.csv --relevance few.csv"),
        ("relevance of other columns", "evaluate wine.npz new.csv --relevance short.csv"),
        ("signs without relevance", "evaluate wine.npz new.csv --class predicted"),
        ("two results to standard output", "evaluate wine.npz new.csv -o - --curves -"),
        ("JSON into a file by its option", "evaluate wine.npz new.csv --json=all.json"),
        ("a limit that there is not", "evaluate wine.npz new.csv --limit rows=5"),
        ("an imputer that there is not", "evaluate wine.npz new.csv --imputer median"),
        ("a parameter of another method", "evaluate wine.npz new.csv --method lrp:steps=5"),
    ],
    "choose": [
        ("no background", "choose wine.npz"),
        ("too small a background", "choose wine.npz --background new.csv"),
        ("a background that is not there", "choose wine.npz --background train.csv"),
        ("data behind the model", "choose wine.npz wine.csv"),
        ("an output that is no bundle", "choose wine.npz --background wine.csv -o wine.model"),
        ("a view that there is not", "choose wine.npz --background wine.csv --view rows"),
        ("no model", "choose --background wine.csv"),
        ("a model that is not there", "choose wines.npz --background wine.csv"),
        ("a column that the model needs is missing", "choose wine.npz --background short.csv"),
        ("a number that is none", "choose wine.npz --background wine.csv --sample many"),
    ],
    "report": [
        ("an output of another kind", "report wine.npz wine.csv -o report.pdf"),
        ("no data", "report wine.npz -o report.html"),
        ("model and data exchanged", "report wine.csv wine.npz -o report.html"),
        ("data that are not there", "report wine.npz wien.csv -o report.html"),
        ("a column that the model needs is missing", "report wine.npz short.csv -o report.html"),
        ("pictures of the wrong size", "report wine.npz wine.csv --layout 28x28 -o report.html"),
        ("another model that is not there", "report wine.npz wine.csv --against wien.npz -o report.html"),
        ("another model of another target", "report wine.npz wine.csv --against price.npz -o report.html"),
        ("two models, and rows that can be read once", "report wine.npz - --against price.npz -o report.html"),
        ("a size of pictures that is none", "report wine.npz wine.csv --layout large -o report.html"),
        ("an option that is misspelt", "report wine.npz wine.csv --evalute -o report.html"),
        ("an empty file", "report wine.npz empty.csv -o report.html"),
    ],
    "inspect": [
        ("no model", "inspect"),
        ("data in the place of the model", "inspect wine.csv"),
        ("a model that is not there", "inspect wines.npz"),
        ("a text that is no model", "inspect notes.txt"),
        ("a folder", "inspect folder"),
        ("a bundle that is cut off", "inspect cut.npz"),
        ("a row without its file", "inspect wine.npz --row 2"),
        ("a limit without a number", "inspect wine.npz --limit features"),
        ("a limit that is too low", "inspect wine.npz --limit elements=3"),
        ("an option of another verb", "inspect wine.npz --top 3"),
    ],
    "convert": [
        ("no output", "convert wine.npz"),
        ("no files", "convert"),
        ("an output of an unknown kind", "convert wine.npz wine.pmml"),
        ("a model that is not there", "convert wines.npz copy.npz"),
        ("data in the place of the model", "convert wine.csv wine.npz"),
        ("a model in LIBSVM's format", "convert wine.npz wine.model"),
        ("an ONNX model", "convert wine.onnx onnx.npz"),
        ("an output in a folder that is not there", "convert wine.npz results/wine.npz"),
        ("a third file", "convert wine.npz copy.npz wine.model"),
        ("an option that it does not have", "convert wine.npz copy.npz --target quality"),
    ],
}


# Options that earlier versions had, by verb.
LEFT = {
    "train": "--categorical --category --dates --degree --grid-cost --grid-gamma --grid-k --grid-lambda --nu "
             "--numeric --offset --one-hot --ordinal --power --range --shape --width --x --y",
    "explain": "--background-drop --beta --chunk --eta --for --ignore-intercept --kappa --level --neighborhood "
               "--on --path-steps --references --seed --sequences --side --steps --unseen --view",
    "evaluate": "--methods --reachable --rows --rule-background",
    "report": "--figures --image --knn --seed --series --unit-name",
    "inspect": "--network",
    "help": "--man --man-pages",
}


def write_files(bisector):
    """The files that the mistakes are made with, in the current folder."""
    draw = random.Random(1)
    rows = [(round(9 + 5 * draw.random(), 2), round(0.1 + draw.random(), 3)) for _ in range(40)]
    lines = [f"{alcohol},{acid}" for alcohol, acid in rows]
    full = [f"{line},{3 + int(alcohol / 3)},{'red' if acid > 0.6 else 'white'}"
            for line, (alcohol, acid) in zip(lines, rows)]
    files = {
        "wine.csv": ["alcohol,acid,quality,color", *full],
        "new.csv": ["alcohol,acid", *lines[:6]],
        "short.csv": ["alcohol,sugar", *lines[:6]],
        "few.csv": ["alcohol,acid", *lines[:2]],
        "text.csv": ["alcohol,acid,quality", *[f"{line},5" for line in lines[:2]], "strong,0.5,5"],
        "ragged.csv": ["alcohol,acid", *lines[:2], "11.5"],
        "blank.csv": ["alcohol,acid,quality", *[f"{line}," for line in lines[:3]]],
        "empty.csv": [],
        "notes.txt": ["buy wine"],
        "dates.csv": ["day,y", "01/02/2019,a", "03/04/2019,b", "05/06/2019,a"],
        "rates.csv": ["rate,y", "2%,a", "0.07,b", "5%,a"],
        "wine.model.npz": [],
        "groups.json": ['{"taste": ["acid", "salt"]}'],
        "new.parquet": ["PAR1"],
        "new.jsonl": ['{"alcohol": 11.5, "acid": 0.4}'],
        "new.arff": ["@relation new", "@attribute alcohol real", "@attribute acid real", "@data", "11.5,0.4"],
        "new.csv.bz2": ["BZh9"],
    }
    for name, content in files.items():
        Path(name).write_text("".join(line + "\n" for line in content), encoding="ascii")
    Path("wine.onnx").write_bytes(b"\x08\x08")
    Path("new.csv.xz").write_bytes(b"\xfd7zXZ\0")
    Path("folder").mkdir()
    for words in ("train wine.csv --target quality --above 6 --drop color --model svm -o wine.npz",
                  "train wine.csv --target quality --drop color --model krr -o price.npz",
                  "train wine.csv --target color --drop quality --model knn -o neighbors.npz"):
        subprocess.run([bisector, *shlex.split(words)], check=True, capture_output=True, timeout=60)
    Path("cut.npz").write_bytes(Path("wine.npz").read_bytes()[:900])


def message_of(done):
    """Return standard error without what comes before: how a table was read."""
    lines = done.stderr.strip().splitlines()
    return "\n".join(line for line in lines if not line.startswith("read: "))


def problem_with(done, before):
    """What is wrong with the message; empty if nothing is."""
    lines = message_of(done).splitlines()
    if done.returncode not in (1, 2):
        return f"status {done.returncode}"
    if len(lines) != 1 or not lines[0].startswith("error: "):
        return "not one line that begins with error:"
    if done.stdout:
        return "something on standard output"
    foreign = [word for word in FOREIGN if word in lines[0]]
    if foreign:
        return f"words of the parser or the system: {foreign}"
    helps = ("expected", "did you mean", ": No such file", "Is a directory", "leave out", "needs", "it has",
             "Not a directory", "use ", "name the", "exclude", "applies to", "give ", "add ",
             "need ", "not of")
    if not any(word in lines[0] for word in helps):
        return "no advice"
    if sorted(os.listdir(".")) != before:
        return f"files are left behind: {sorted(set(os.listdir('.')) - set(before))}"
    return ""


def make_mistakes(bisector):
    """The page, and the problems of its messages."""
    before, problems, page = sorted(os.listdir(".")), [], [HEAD]
    for verb, mistakes in MISTAKES.items():
        page.append(f"\n## {verb}\n")
        if len(mistakes) < 10:
            problems.append(f"{verb}: {len(mistakes)} mistakes, expected ten")
        for what, words in mistakes:
            done = subprocess.run([bisector, *shlex.split(words)], capture_output=True, text=True,
                                  check=False, timeout=60, stdin=subprocess.DEVNULL)
            shown = words if words.startswith("bisector-") else f"bisector {words}".strip()
            problem = problem_with(done, before)
            if problem:
                problems.append(f"{shown}: {problem}: {message_of(done)}")
            page.append(f"{what[0].upper() + what[1:]} (status {done.returncode})\n\n"
                        f"    $ {shown}\n    {message_of(done)}\n")
    page += advice_for_left(bisector, problems)
    return "\n".join(page), problems


def advice_for_left(bisector, problems):
    """A table of the options that left, and what their messages say to type."""
    lines = ["\n## Options that left\n", "The message of an option that the command had before says what to type "
             "instead.\n", "| option | instead |\n| --- | --- |"]
    for verb, options in LEFT.items():
        for option in options.split():
            done = subprocess.run([bisector, verb, option, "1"], capture_output=True, text=True, check=False,
                                  timeout=60, stdin=subprocess.DEVNULL)
            start, end = f"error: {verb} has no option {option} any more: ", f" (see bisector {verb} --help)"
            message = message_of(done)
            if done.returncode != 2 or not message.startswith(start) or not message.endswith(end):
                problems.append(f"{verb} {option}: {message}")
            advice = message.removeprefix(start).removesuffix(end).replace("|", "\\|")
            lines.append(f"| `{verb} {option}` | {advice} |")
    return ["\n".join(lines) + "\n"]


HEAD = """# Error messages

The ten most likely mistakes of each verb and the messages of the command, written by
`tests/cli/messages.py`. A message is one line on standard error that says where, what is wrong and
what to type instead. The status is 2 for an error in the command line and 1 for an error in a file;
no file is left behind. `wine.csv` has the columns alcohol, acid, quality and color, `new.csv` the
first two."""


def main():
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    bisector, page = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        write_files(bisector)
        made, problems = make_mistakes(bisector)
        os.chdir("/")
    if "--write" in sys.argv[3:]:
        page.write_text(made, encoding="utf-8")
    elif not page.exists() or page.read_text(encoding="utf-8") != made:
        problems.append(f"{page.name} does not have the current messages: run "
                        f"tests/cli/messages.py BISECTOR docs/messages.md --write")
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
