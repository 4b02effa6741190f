"""The recorder that lives in the traced process, what starts it, and what reads its sessions."""
