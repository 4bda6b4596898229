#!/bin/sh
# Which atoms make the dipole moment large? Explains a model of water molecules with random bonds and
# angles, whose dipole moment is that of two charges at the hydrogens.
#
#   molecules.sh OUT
set -eu
molecules=${BISECTOR:-bisector}-molecules
[ $# -eq 1 ] || { sed -n '5p' "$0" >&2; exit 2; }
mkdir -p "$1"

# Every key=number of the comment line is a property, such as mu here.
awk 'BEGIN {
    srand(1)
    for (n = 1; n <= 200; ++n) {
        bond = 0.9 + 0.3 * rand(); angle = (80 + 60 * rand()) * 3.14159265 / 180
        x = bond * sin(angle / 2); y = bond * cos(angle / 2)
        printf "3\nwater_%d mu=%.4f\nO 0 0 0\nH %.4f %.4f 0\nH %.4f %.4f 0\n", n, 3.2 * y, x, y, -x, y
    }
}' > "$1/water.xyz"

"$molecules" train "$1/water.xyz" --property mu -o "$1/dipole.npz"
"$molecules" explain "$1/dipole.npz" "$1/water.xyz" -o "$1/pairs.csv"
"$molecules" explain "$1/dipole.npz" "$1/water.xyz" --per atom -o "$1/atoms.csv"
"$molecules" explain "$1/dipole.npz" "$1/water.xyz" --frame 3 -o "$1/water_3.svg"
echo "the third molecule, atom by atom:"
awk -F, 'NR == 1 || $1 == 3' "$1/atoms.csv"
echo "its picture: $1/water_3.svg"
echo "all of them in a page: $molecules explain $1/dipole.npz $1/water.xyz -o $1/water.html"
