"""What `compilelint rule --new` and `--test` do: a page is begun, and held against checker and Dynamo."""
