"""What a run says of each finding: confirmed, refuted, not reached, or nothing.

merging.py   every finding and every observation gets its verdict
proofs.py    which observations show a finding …
breaks.py      … of breaks and what else stops at a line: whether it is the finding's construct
recompiles.py  … of recompiles: whether it is the finding's variable, or its call
library.py     … of findings in packages that the check followed into
unproven.py  the verdict of a finding that no observation shows
frames.py    the places that an observation is about, held against a finding's lines
wording.py   what a finding's line says: names, what stands outside of calls, heads of blocks
"""
