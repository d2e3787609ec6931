"""The fields of a form."""
import sys

print(sys.argv[1:])
