"""The language server: what `check` says, in an editor, while one types. Needs pygls (`compilelint[server]`)."""
