"""Writes the tables of the reports whose pictures are in docs/guide/report:

    python3 report_tables.py DATA FOLDER

DATA has the public files that docs/guide/report.md names; the other tables are drawn at random.
"""

import csv
import random
import sys
from pathlib import Path

import numpy as np

CONCRETE = ["cement", "slag", "fly ash", "water", "superplasticizer", "coarse", "fine", "age",
            "strength"]
BEANS = ["Barbunya", "Bombay", "Cali", "Dermason", "Horoz", "Kirmizi", "Seker", "Sira", "Tombul"]
MACHINE = ["temperature [C]", "pressure [bar]", "vibration [mm/s]", "current [A]", "speed [rpm]"]


def write(path, header, rows):
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([header, *rows])


def write_concrete(data, folder):
    with (data / "concrete" / "Concrete_Data.csv").open() as file:
        rows = [row for row in csv.reader(file) if len(row) == len(CONCRETE)][1:]
    random.Random(3).shuffle(rows)
    write(folder / "concrete.csv", CONCRETE, rows[250:])
    write(folder / "concrete_new.csv", CONCRETE, rows[:250])


def write_images(data, folder):
    arrays = np.load(data / "medmnist" / "breastmnist.npz")
    for part, name in [("train", "images.npz"), ("test", "images_new.npz")]:
        images = arrays[f"{part}_images"]
        np.savez(folder / name, x=images.reshape(len(images), -1).astype(float),
                 y=arrays[f"{part}_labels"].ravel())


def write_beans(folder):
    draw = random.Random(5)

    def bean():
        kind = draw.randrange(len(BEANS))
        return [f"{20 + 3 * kind + draw.gauss(0, 3):.1f}",
                f"{10 + 2 * (kind * 5 % 9) + draw.gauss(0, 2):.1f}",
                f"{0.2 + (kind * 2 % 9) / 12 + draw.gauss(0, 0.05):.3f}",
                round(150 + 20 * (kind * 7 % 9) + draw.gauss(0, 20)),
                draw.choice(["spring", "autumn"]), BEANS[kind]]

    header = ["length [mm]", "width [mm]", "roundness", "area [mm²]", "harvest", "kind"]
    write(folder / "beans.csv", header, [bean() for _ in range(900)])
    write(folder / "beans_new.csv", header, [bean() for _ in range(400)])


def write_machine(folder):
    """Every 25th of the new rows vibrates, and some of these draw a larger current."""
    draw = random.Random(7)

    def row(is_broken):
        temperature = draw.gauss(60, 5)
        vibration = abs(draw.gauss(0.3, 0.08)) + is_broken * (0.3 + draw.random())
        current = 5 + temperature / 20 + draw.gauss(0, 0.3) + 2 * is_broken * draw.randrange(2)
        return [f"{temperature:.1f}", f"{2 + temperature / 60 + draw.gauss(0, 0.1):.3f}",
                f"{vibration:.3f}", f"{current:.2f}", round(draw.gauss(1450, 20))]

    write(folder / "machine.csv", MACHINE, [row(False) for _ in range(400)])
    write(folder / "machine_new.csv", MACHINE, [row(i % 25 == 0) for i in range(300)])


def main():
    data, folder = map(Path, sys.argv[1:])
    write_concrete(data, folder)
    write_images(data, folder)
    write_beans(folder)
    write_machine(folder)


if __name__ == "__main__":
    main()
