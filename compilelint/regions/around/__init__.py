"""What the code around regions says: what names stand for, who calls whom with what, in which loops."""
