"""The fill of a form."""
import sys

print(sys.argv[1:])
