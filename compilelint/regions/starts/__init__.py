"""Where compilation starts: what classes inherit, what libraries do, and what users name, besides `torch.compile`."""
