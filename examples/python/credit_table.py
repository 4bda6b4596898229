"""Writes a small table of invented loan applicants, for the credit report of docs/guide/report.md.

    python3 credit_table.py training.csv held_out.csv

No applicant is real. The risk of a bad loan grows with its amount and duration, and falls with
savings and years in the job. Of all loans, 28 % are bad. Age and phone have no effect.
"""

import csv
import math
import random
import sys

COLUMNS = ["duration [months]", "amount [EUR]", "savings [EUR]", "years in job", "age", "purpose",
           "phone", "outcome"]
PURPOSES = {"car": 0.0, "education": 0.6, "furniture": 0.1, "repairs": -0.4}


def applicant(draw):
    duration = draw.randint(6, 48)
    amount = round(draw.lognormvariate(8.0, 0.6) * (0.5 + duration / 48), -1)
    savings = round(draw.lognormvariate(6.5, 1.3), -1)
    job = draw.randint(0, 20)
    purpose = draw.choice(list(PURPOSES))
    risk = (duration - 27) / 10 + (amount - 3600) / 1800 - (math.log(savings + 50) - 6.6) / 0.9
    risk += PURPOSES[purpose] - (job - 10) / 6 - 1.6 + draw.gauss(0, 1.0)
    return [duration, int(amount), int(savings), job, draw.randint(19, 70), purpose,
            draw.choice(["yes", "no"]), "bad" if risk > 0 else "good"]


def write(path, rows):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        writer.writerows(rows)


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: credit_table.py training.csv held_out.csv")
    draw = random.Random(1)
    rows = [applicant(draw) for _ in range(1000)]
    write(sys.argv[1], rows[:700])
    write(sys.argv[2], rows[700:])


if __name__ == "__main__":
    main()
