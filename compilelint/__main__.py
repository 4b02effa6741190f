"""`python -m compilelint`."""

from compilelint.cli import main

if __name__ == "__main__":
    main()
