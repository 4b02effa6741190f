"""What a run left under TORCH_TRACE, read as sessions."""
