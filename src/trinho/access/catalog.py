"""The names that a role may be granted."""

from __future__ import annotations

from typing import NamedTuple

from trinho.access.role import OWN_SERVER

TOOLS = ("Read", "Write", "Edit", "Glob", "Grep", "Bash", "WebSearch", "WebFetch", "Skill")
SKILL_TOOL = "Skill"


class Catalog(NamedTuple):
    """Subagents and MCP servers that exist; a name outside is refused. Tools are closed, skills are folders."""

    subagents: frozenset[str] = frozenset()
    mcp_servers: frozenset[str] = frozenset({OWN_SERVER})


BUILT_IN_CATALOG = Catalog()
