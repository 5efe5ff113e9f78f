"""What roles.yaml says, read ahead: reading YAML takes a cold start more time than all of its rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trinho.access.role import Role, roles_of

if TYPE_CHECKING:
    from trinho.access.definition import Definition

BUILT_IN: dict[str, Definition] = {
    "main": {
        "tools": ("Read", "Glob", "Grep", "Bash", "WebSearch", "WebFetch", "Skill"),
        "skills": ("memory",),
        "memory_read": ("shared", "project:*"),
        "memory_write": ("shared", "project:*"),
        "workspace_read": (".",),
        "delegates_to": ("*",),
    },
    "worker": {
        "tools": ("Read", "Write", "Edit", "Glob", "Grep", "Bash", "WebSearch", "WebFetch", "Skill"),
        "skills": ("memory",),
        "memory_read": ("shared", "project:*"),
        "memory_write": ("shared:facts", "shared:policies", "project:*:facts", "project:*:policies"),
        "workspace_read": (".",),
        "workspace_write": (".",),
        "reports_to": ("main",),
    },
    "search": {
        "tools": ("Read", "Glob", "Grep", "WebSearch", "WebFetch"),
        "memory_read": ("shared", "project:*"),
        "memory_write": ("shared:facts", "shared:policies", "project:*:facts", "project:*:policies"),
        "workspace_read": (".",),
        "reports_to": ("main",),
    },
    "librarian": {
        "tools": ("Read", "Glob", "Grep", "WebSearch", "WebFetch", "Skill"),
        "skills": ("memory",),
        "memory_read": ("shared", "project:*"),
        "memory_write": (
            "shared:reference",
            "project:*:refs",
            "shared:facts",
            "shared:policies",
            "project:*:facts",
            "project:*:policies",
        ),
        "workspace_read": (".",),
        "reports_to": ("main",),
    },
    "read-thread": {
        "tools": ("Read", "Glob", "Grep"),
        "memory_read": ("shared", "project:*"),
        "memory_write": ("shared:facts", "shared:policies", "project:*:facts", "project:*:policies"),
        "workspace_read": (".",),
        "reports_to": ("main",),
    },
    "review": {
        "tools": ("Read", "Glob", "Grep"),
        "memory_read": ("shared", "project:*"),
        "memory_write": ("shared:facts", "shared:policies", "project:*:facts", "project:*:policies"),
        "workspace_read": (".",),
        "reports_to": ("main",),
    },
    "oracle": {
        "tools": ("Read", "Glob", "Grep", "WebSearch"),
        "memory_read": ("shared", "project:*"),
        "memory_write": ("shared:facts", "shared:policies", "project:*:facts", "project:*:policies"),
        "workspace_read": (".",),
        "reports_to": ("main",),
    },
    "compaction": {"memory_read": ("shared", "project:*"), "reports_to": ("main",)},
    "titling": {"memory_read": ("shared", "project:*"), "reports_to": ("main",)},
}


def built_in_roles() -> dict[str, Role]:
    """The roles that come with the package, by name."""
    return roles_of(BUILT_IN)
