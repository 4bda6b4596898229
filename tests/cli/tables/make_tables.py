"""Writes the tables of this folder: small files of the kinds that people have.

    python3 make_tables.py        (zst files need the program zstd, Parquet and Arrow files pyarrow)

The rows are random numbers; no file is a copy of real data. tables.tsv has the expected results.
"""

import bz2
import gzip
import io
import json
import lzma
import random
import shutil
import struct
import subprocess
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROWS = 30


def draw():
    rng = random.Random(20)
    rows = []
    for _ in range(ROWS):
        length, width = round(rng.gauss(5, 1), 2), round(rng.gauss(3, 0.8), 2)
        color = rng.choice(["red", "green", "blue"])
        score = (length - 5) + (width - 3) + (0.8 if color == "red" else 0) + rng.gauss(0, 0.3)
        rows.append((length, width, color, rng.random() < 0.5, "good" if score > 0.2 else "bad"))
    return rows


T = draw()
L, W, COLOR, FLAG, Y = range(5)


def text(name, content, encoding="utf-8"):
    (HERE / name).write_bytes(content.encode(encoding))


def table(header, cells, sep=",", end="\n"):
    lines = ([sep.join(header)] if header else []) + [sep.join(str(c) for c in row) for row in cells]
    return end.join(lines) + end


def german(value):
    return str(value).replace(".", ",")


def npy(shape, descr, data, fortran=False):
    shape_text = "(" + ", ".join(str(s) for s in shape) + ("," if len(shape) == 1 else "") + ")"
    head = "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }" % (descr, fortran, shape_text)
    head += " " * (-(10 + len(head) + 1) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + data


def npz(name, arrays):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for array, content in arrays.items():
            archive.writestr(zipfile.ZipInfo(array + ".npy", (2020, 1, 1, 0, 0, 0)), content)
    (HERE / name).write_bytes(buffer.getvalue())


def doubles(values):
    return b"".join(struct.pack("<d", v) for v in values)


def ints(values):
    return b"".join(struct.pack("<q", v) for v in values)


def of_csv():
    plain = [(r[L], r[W], r[Y]) for r in T]
    full = [(r[L], r[W], r[COLOR], r[Y]) for r in T]
    names = ["length", "width", "color", "quality"]
    text("pandas_index.csv", table(["", *names], [(i, *r) for i, r in enumerate(full)]))
    text("pandas_index_twice.csv", table(["", "Unnamed: 0", *names], [(i, i, *r) for i, r in enumerate(full)]))
    text("pandas_counting.csv", table(["0", "1", "2", "3"], [(r[L], r[W], r[L] * 2, int(r[Y] == "good")) for r in T]))
    text("pandas_counting_target.csv", table(["0", "1", "target"], plain))
    text("pandas_bool.csv", table(["length", "width", "ripe", "quality"], [(r[L], r[W], r[FLAG], r[Y]) for r in T]))
    text("excel.csv", "\ufeff" + table(names, full, end="\r\n"))
    text("excel_german.csv", "\ufeff" + table(["Länge", "Breite", "Farbe", "Güte"], [(german(r[L]), german(r[W]), r[COLOR], r[Y]) for r in T], ";", "\r\n"))
    text("german_thousands.csv", table(["umsatz", "breite", "klasse"], [("%d.%03d,%02d" % (i + 1, i * 7, i), german(r[W]), r[Y]) for i, r in enumerate(T)], ";"))
    text("german_no_names.csv", table(None, [(german(r[L]), german(r[W]), r[Y]) for r in T], ";"))
    text("excel_trailing_commas.csv", table([*names, ""], [(*r, "") for r in full], end="\r\n"))
    text("excel_title_row.csv", "Measurements 2024,,,\n" + table(names, full))
    text("r_write_csv.csv", table(['""', *(f'"{n}"' for n in names)], [(f'"{i + 1}"', r[L], r[W], f'"{r[COLOR]}"', f'"{r[Y]}"') for i, r in enumerate(T)]))
    text("r_write_table.txt", table([f'"{n}"' for n in names], [(f'"{i + 1}"', r[L], r[W], f'"{r[COLOR]}"', f'"{r[Y]}"') for i, r in enumerate(T)], " "))
    text("tabs.tsv", table(names, full, "\t"))
    text("bars.txt", table(names, full, "|"))
    text("blanks.data", "".join("  %-8s %-8s %s\n" % r for r in plain))
    text("uci_no_names.data", table(None, plain))
    text("uci_target_first.data", table(None, [(r[2], r[0], r[1]) for r in plain]))
    text("uci_id_first.data", table(None, [(i + 1, *r) for i, r in enumerate(plain)]))
    text("uci_letters.data", table(None, [("e" if r[Y] == "good" else "p", r[COLOR][0], "tf"[r[FLAG]], "xyz"[i % 3]) for i, r in enumerate(T)]))
    text("letters_named.csv", table(["class", "cap", "bruises", "odor"], [("e" if r[Y] == "good" else "p", r[COLOR][0], "tf"[r[FLAG]], "xyz"[i % 3]) for i, r in enumerate(T)]))
    text("cars.csv", table(["doors", "safety", "price", "class"], [(["2", "3", "4", "5more"][i % 4], ["low", "med", "high"][i % 3], round(r[L] * 1000), r[Y]) for i, r in enumerate(T)]))
    text("yes_no.csv", table(["length", "smoker", "width", "quality"], [(r[L], "yes" if r[FLAG] else "no", r[W], r[Y]) for r in T]))
    text("unicode_names.csv", table(["длина", "幅 (mm)", "品質"], plain))
    text("quoted_names.csv", table(['"length, cm"', '"the ""width"""', "quality"], plain))
    text("quoted_text.csv", table(["length", "width", "remark", "quality"], [(r[L], r[W], '"""fine"", she said"' if r[FLAG] else '"one, two\nthree"', r[Y]) for r in T]))
    text("numeric_target.csv", table(["length", "width", "price"], [(r[L], r[W], round(3 * r[L] + r[W], 2)) for r in T]))
    text("years.csv", table(["region", "2001", "2002", "label"], [(r[COLOR], r[L], r[W], int(r[Y] == "good")) for r in T]))
    text("constant.csv", table(["length", "width", "site", "unit", "quality"], [(r[L], r[W], "north", 1, r[Y]) for r in T]))
    text("wide.csv", table([f"f{i}" for i in range(60)] + ["y"], [[round(r[L] * (i % 7) + r[W], 2) for i in range(60)] + [r[Y]] for r in T]))


def of_formats():
    names = ["length", "width", "quality"]
    plain = [(r[L], r[W], r[Y]) for r in T]
    text("money.csv", table(["price", *names], [('"$%s"' % format(round(1000 * r[L] + 0.5, 2), ",.2f"), r[L], r[W], r[Y]) for r in T]))
    text("percent.csv", table(["share", *names], [("%.1f %%" % (10 * r[W]), r[L], r[W], r[Y]) for r in T]))
    text("quoted_decimal_commas.csv", table(["sum", *names], [('"%d.%03d,%d"' % (i + 1, 7 * i, i % 10), r[L], r[W], r[Y]) for i, r in enumerate(T)]))
    text("zip_codes.csv", table(["zip", *names], [("%05d" % [1067, 4109, 10115, 20095][i % 4], r[L], r[W], r[Y]) for i, r in enumerate(T)]))
    text("dates_german.csv", table(["when", *names], [("%d.%d.2024" % (i % 28 + 1, i % 12 + 1), r[L], r[W], r[Y]) for i, r in enumerate(T)]))
    text("dates_day_first.csv", table(["when", *names], [("%d/%d/2024" % (i % 28 + 1, i % 12 + 1), r[L], r[W], r[Y]) for i, r in enumerate(T)]))
    text("times.csv", table(["when", *names], [("2024-03-%02d %02d:30:00" % (i % 28 + 1, i % 24), r[L], r[W], r[Y]) for i, r in enumerate(T)]))
    text("counter.csv", table(["position", *names], [(i + 1001, *r) for i, r in enumerate(plain)]))
    text("cr_line_ends.csv", table(names, plain, end="\r"))
    text("label_first_numbers.data", table(None, [(int(r[2] == "good"), r[0], r[1]) for r in plain]))
    text("label_last_numbers.data", table(None, [(r[0], r[1], int(r[2] == "good")) for r in plain], " "))
    text("yes_no_target.csv", table(["length", "width", "ripe"], [(r[0], r[1], "yes" if r[2] == "good" else "no") for r in plain]))
    text("lines.jsonl", "".join(json.dumps(dict(zip(names, r))) + "\n" for r in plain))
    text("one_row.csv", table(names, plain[:1]))
    text("null_values.csv", table(names, [("null" if i == 3 else r[0], "n/a" if i == 7 else r[1], r[2]) for i, r in enumerate(plain)]))
    wide = table([f"gene_{i}" for i in range(12000)] + ["quality"], [[(i * 7 + n * n) % 13 for i in range(12000)] + [r[2]] for n, r in enumerate(plain)])
    (HERE / "genes.csv.gz").write_bytes(gzip.compress(wide.encode(), mtime=0))
    (HERE / "image.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(40))
    archive("one_table.zip", {"folder/table.csv": table(names, plain)})
    workbook("workbook.xlsx", names, plain)


def of_exports():
    """Lines above the names and below the table, and targets as people write them."""
    names = ["length", "width", "quality"]
    plain = [(r[L], r[W], r[Y]) for r in T]
    text("excel_sep_line.csv", "\ufeffsep=;\r\n" + table(names, plain, ";", "\r\n"))
    text("comments.csv", "# station 7, north\n# exported 2024-03-01\n" + table(names, plain))
    text("numpy_savetxt.csv", "# " + table(["length", "width"], [r[:2] for r in plain]))
    text("delimiter_after_rows.csv", ",".join(names) + "\n" + table(None, [(*r, "") for r in plain]))
    text("total_below.csv", table(names, plain) + "Total,,\n")
    numbers = [round(1000 * r[L] + 100 * r[W], 2) for r in T]
    text("money_target.csv", table(["length", "width", "price"], [(r[L], r[W], f'"${n:,.2f}"') for r, n in zip(T, numbers)]))
    text("percent_target.csv", table(["length", "width", "share"], [(r[L], r[W], f"{n / 100:.1f} %") for r, n in zip(T, numbers)]))
    text("date_target.csv", table(["length", "width", "due"], [(r[L], r[W], "2024-%02d-%02d" % (i % 12 + 1, i % 28 + 1)) for i, r in enumerate(T)]))
    text("capital_letters.csv", table(names, [(r[L], r[W], r[Y].title() if i % 3 == 0 else r[Y]) for i, r in enumerate(T)]))
    text("target_twice.csv", table([*names, "grade"], [(*r, "AB"[r[2] == "bad"]) for r in plain]))
    text("names_as_target.csv", table(["length", "width", "name"], [(r[L], r[W], f"sample {i}") for i, r in enumerate(T)]))
    text("all_constant.csv", table(names, [(1.5, 2, r[Y]) for r in T]))
    text("beyond_limit.csv", table(names, [("1e120" if i == 4 else r[L], r[W], r[Y]) for i, r in enumerate(T)]))
    text("utf16_no_mark.csv", table(names, plain), "utf-16-le")
    text("page.html", "<!DOCTYPE html>\n<html><body><table><tr><td>1</td></tr></table></body></html>\n")


def workbook(name, header, rows):
    """A minimal Excel workbook with one sheet."""
    def cell(value):
        if isinstance(value, str):
            return f'<c t="inlineStr"><is><t>{value}</t></is></c>'
        return f"<c><v>{value}</v></c>"

    head, ns = '<?xml version="1.0" encoding="UTF-8"?>', "http://schemas.openxmlformats.org"
    sheet = "".join("<row>" + "".join(map(cell, row)) + "</row>" for row in [header, *rows])
    main = f"{ns}/spreadsheetml/2006/main"
    office = f"{ns}/officeDocument/2006/relationships"
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    archive(name, {
        "[Content_Types].xml": f'{head}<Types xmlns="{ns}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="{kind}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="{kind}.worksheet+xml"/></Types>',
        "_rels/.rels": f'{head}<Relationships xmlns="{ns}/package/2006/relationships"><Relationship Id="rId1" Type="{office}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'{head}<workbook xmlns="{main}" xmlns:r="{office}"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'{head}<Relationships xmlns="{ns}/package/2006/relationships"><Relationship Id="rId1" Type="{office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
        "xl/worksheets/sheet1.xml": f'{head}<worksheet xmlns="{main}"><sheetData>{sheet}</sheetData></worksheet>',
    })


def archive(name, files):
    with zipfile.ZipFile(HERE / name, "w", zipfile.ZIP_DEFLATED) as target:
        for file, content in files.items():
            target.writestr(zipfile.ZipInfo(file, (2020, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED)


def of_trouble():
    names = ["length", "width", "quality"]
    text("ids.csv", table(["patient_id", "No", *names], [("P-%04d" % (i * 37), i + 1, r[L], r[W], r[Y]) for i, r in enumerate(T)]))
    text("dates.csv", table(["when", *names], [("2024-03-%02d" % (i % 28 + 1), r[L], r[W], r[Y]) for i, r in enumerate(T)]))
    text("free_text.csv", table(["remark", *names], [(f"note {i} of a long story", r[L], r[W], r[Y]) for i, r in enumerate(T)]))
    text("missing_question_marks.data", table(None, [("?" if i % 9 == 4 else r[L], r[W], r[Y]) for i, r in enumerate(T)]))
    text("missing_na.csv", table(names, [("NA" if i % 10 == 3 else r[L], "" if i % 15 == 7 else r[W], r[Y]) for i, r in enumerate(T)]))
    text("missing_target.csv", table(names, [(r[L], r[W], "" if i == 5 else r[Y]) for i, r in enumerate(T)]))
    text("unknown_among_numbers.csv", table(names, [("unknown" if i == 3 else r[L], r[W], r[Y]) for i, r in enumerate(T)]))
    text("several_problems.csv", table(["a", "a", "b", "quality"], [(r[L], r[W], "heavy" if i == 3 else "" if i == 6 else r[L], r[Y]) for i, r in enumerate(T)]))
    marks = ["None", "-", ".", "--", "N.A.", "Missing"]
    text("missing_marks.csv", table(names, [(marks[i // 5] if i % 5 == 0 else r[L], r[W], r[Y]) for i, r in enumerate(T)]))
    text("one_class.csv", table(names, [(r[L], r[W], "good") for r in T]))
    text("duplicate_names.csv", table(["x", "x", "quality"], [(r[L], r[W], r[Y]) for r in T]))
    text("latin1.csv", table(["Länge", "width", "quality"], [(r[L], r[W], r[Y]) for r in T]), "latin-1")
    text("latin1_cells.csv", table(["length", "farbe", "quality"], [(r[L], "grün" if r[FLAG] else "rot", r[Y]) for r in T]), "latin-1")
    text("utf16.csv", "\ufeff" + table(names, [(r[L], r[W], r[Y]) for r in T]), "utf-16-le")
    text("ragged.csv", table(names, [(r[L], r[W], r[Y]) for r in T]) + "5.1,good\n")
    text("empty.csv", "")
    text("only_names.csv", ",".join(names) + "\n")
    many = table(["zip", *names], [(f"Z{i % 1200}", T[i % ROWS][L], T[i % ROWS][W], T[i % ROWS][Y]) for i in range(2400)])
    (HERE / "many_levels.csv.gz").write_bytes(gzip.compress(many.encode(), mtime=0))
    text("only_ids.csv", table(["id", "quality"], [(i + 1, r[Y]) for i, r in enumerate(T)]))


def of_columns():
    import pyarrow as pa
    import pyarrow.feather
    import pyarrow.parquet as pq

    plain = {"length": [r[L] for r in T], "width": pa.array([r[W] for r in T], pa.float32()),
             "color": pa.array([r[COLOR] for r in T]).dictionary_encode(), "ripe": [r[FLAG] for r in T],
             "count": pa.array([i % 4 for i in range(ROWS)], pa.int8()), "quality": [r[Y] for r in T]}
    pq.write_table(pa.table(plain), HERE / "table.parquet")
    pyarrow.feather.write_feather(pa.table(plain), str(HERE / "table.feather"), compression="lz4")


def of_others():
    full = [(r[L], r[W], r[COLOR], r[Y]) for r in T]
    relation = "@relation t\n@attribute length numeric\n@attribute width real\n@attribute color {red, green, blue, 'dark red'}\n@attribute quality {good, bad}\n@data\n"
    text("nominals.arff", "% a comment\n" + relation + table(None, full))
    text("sparse.svm", "".join("%d 1:%s 3:%s\n" % (1 if r[Y] == "good" else -1, r[L], r[W]) for r in T))
    x = doubles(v for r in T for v in (r[L], r[W]))
    y = ints(int(r[Y] == "good") for r in T)
    npz("arrays.npz", {"X": npy((ROWS, 2), "<f8", x), "y": npy((ROWS,), "<i8", y)})
    npz("column_target.npz", {"X": npy((ROWS, 2), "<f8", x), "y": npy((ROWS, 1), "<i8", y)})
    npz("other_names.npz", {"data": npy((ROWS, 2), "<f8", x), "labels": npy((ROWS,), "<i8", y)})
    half = b"".join(struct.pack("<e", v) for r in T for v in (r[L], r[W]))
    npz("half.npz", {"X": npy((ROWS, 2), "<f2", half), "y": npy((ROWS,), "<i8", y)})
    plain = table(["length", "width", "color", "quality"], full).encode()
    (HERE / "packed.csv.gz").write_bytes(gzip.compress(plain, mtime=0))
    (HERE / "packed.csv.bz2").write_bytes(bz2.compress(plain))
    (HERE / "packed.csv.xz").write_bytes(lzma.compress(plain))
    (HERE / "packed.svm.gz").write_bytes(gzip.compress((HERE / "sparse.svm").read_bytes(), mtime=0))
    (HERE / "cut_off.csv.gz").write_bytes(gzip.compress(plain, mtime=0)[:-60])
    if shutil.which("zstd"):
        (HERE / "packed.csv.zst").write_bytes(subprocess.run(["zstd", "-q", "-c"], input=plain, capture_output=True, check=True).stdout)


if __name__ == "__main__":
    of_csv()
    of_formats()
    of_exports()
    of_trouble()
    of_others()
    of_columns()
