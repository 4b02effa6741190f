"""Inside the traced process: what Dynamo's private functions are asked and answer, made into events."""
