"""From YAML to a checked Scenario: units, source positions, messages, schema.

Nothing is imported here, so that `ixviz --version` does not pay for pydantic: use ixviz.scenario.load.
"""
