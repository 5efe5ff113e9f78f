"""The MCP server: memory as the tools of a coding agent, for one role and one project that are fixed at its start."""
