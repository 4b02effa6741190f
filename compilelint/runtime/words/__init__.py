"""What Dynamo says of breaks, guards and errors, in plain words, and what to do."""
