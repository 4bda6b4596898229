"""python -m bisector: the command."""

from ._command import main

main()
