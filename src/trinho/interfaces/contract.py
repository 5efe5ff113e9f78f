"""The JSON of the contract: what every door answers with."""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING, Any

from trinho.domain.entry import format_instant

if TYPE_CHECKING:
    from trinho.access.domains import Domain
    from trinho.application.consolidation import Consolidated
    from trinho.application.facts import Fact, Proposed
    from trinho.application.harvest import Harvested
    from trinho.application.policies import ProposedPolicy
    from trinho.application.preamble import Preamble
    from trinho.application.recall import Explanation, Reason, Result, SearchAnswer
    from trinho.domain.audit import AuditLine
    from trinho.domain.conflict import Conflict
    from trinho.domain.entry import Entry
    from trinho.domain.notes import HotItem, Observation
    from trinho.domain.project import Project
    from trinho.ports.index import Listed
    from trinho.ports.store import StoredFile


def entry_json(entry: Entry) -> dict[str, Any]:
    """The entry of the JSON contract, and the reader's warnings where there are any."""
    document: dict[str, Any] = {
        "id": str(entry.id),
        "version": entry.version,
        "kind": entry.kind.value,
        "type": entry.type.value,
        "name": entry.name,
        "description": entry.description,
        "body": entry.body,
        "created_at": format_instant(entry.created_at),
        "updated_at": format_instant(entry.updated_at),
    }
    if entry.warnings:
        document["warnings"] = list(entry.warnings)
    return document


def file_json(file: StoredFile) -> dict[str, str]:
    """A whole file for an export: as text, or in base64 where it is none."""
    try:
        return {"id": str(file.id), "document": file.raw.decode()}
    except UnicodeDecodeError:
        return {"id": str(file.id), "document_base64": b64encode(file.raw).decode()}


def listed_json(row: Listed, version: int) -> dict[str, Any]:
    """One row of a listing: an entry without its body."""
    return {
        "id": str(row.id),
        "version": version,
        "kind": row.kind.value,
        "type": row.type.value,
        "name": row.name,
        "description": row.description,
        "created_at": format_instant(row.created_at),
        "updated_at": format_instant(row.updated_at),
    }


def audit_json(line: AuditLine, *, numbered: bool) -> dict[str, Any]:
    """One line of the trail. Numbers and hashes count everybody's acts, so an agent doesn't see them."""
    event = line.event
    document: dict[str, Any] = {
        "seq": line.seq if numbered else None,
        "at": format_instant(line.at),
        "actor": event.actor,
        "operation": event.operation,
        "id": event.id,
        "result": event.result,
        "code": event.code,
        "version": event.version,
        "session": event.session,
        "prev": line.prev if numbered else None,
        "hash": line.hash if numbered else None,
    }
    rare = {"to": event.to, "run": event.run if numbered else None, "undoes": event.undoes if numbered else None}
    document.update({key: value for key, value in rare.items() if value is not None})
    if event.included:
        document["included"] = [{"id": id, "version": version} for id, version in event.included]
    return document


def proposed_json(proposed: Proposed) -> dict[str, Any]:
    """The answer to a proposal, of the JSON contract."""
    return {
        "outcome": proposed.outcome,
        "id": str(proposed.id),
        "relations": [
            {"to": str(each.to), "label": each.judgement.label.value, "reason": each.judgement.reason}
            for each in proposed.relations
        ],
        "superseded": [str(id) for id in proposed.superseded],
        "conflict_id": proposed.conflict_id,
        "held": proposed.held,
        "note": proposed.note,
    }


def fact_json(fact: Fact) -> dict[str, Any]:
    """A fact of the JSON contract."""
    said = fact.knowledge
    return {
        **entry_json(fact.entry),
        "domain": said.domain,
        "topic": said.topic,
        "confidence": said.confidence,
        "memory_type": said.memory_type,
        "veracity": said.veracity,
        "superseded_by": said.superseded_by or None,
        "supersedes": list(said.supersedes),
        "valid_until": None if said.valid_until is None else format_instant(said.valid_until),
        "mention_count": fact.counts.mentions,
        "recall_count": fact.counts.recalls,
        "sources": list(said.sources),
        "author": said.author or None,
        "agent": said.agent or None,
        "status": said.status.value,
    }


def knowledge_json(row: Listed) -> dict[str, Any]:
    said = row.knowledge
    return {
        "id": str(row.id),
        "kind": row.kind.value,
        "domain": said.domain,
        "topic": said.topic,
        "description": row.description,
        "memory_type": said.memory_type,
        "veracity": said.veracity,
        "confidence": said.confidence,
        "status": said.status.value,
        "active": not said.switched_off,
        "superseded_by": said.superseded_by or None,
        "valid_until": None if said.valid_until is None else format_instant(said.valid_until),
        "author": said.author or None,
        "required_role": said.required_role or None,
        "updated_at": format_instant(row.updated_at),
    }


def domain_json(domain: Domain) -> dict[str, Any]:
    return {
        "name": str(domain.key),
        "label": domain.label,
        "description": domain.description,
        "created_by": domain.created_by or None,
    }


def conflict_json(row: Conflict) -> dict[str, Any]:
    return {
        "id": row.number,
        "loser": row.loser,
        "winner": row.winner,
        "label": row.label,
        "status": row.state.value,
        "at": format_instant(row.at),
        "by": row.by,
        "overturns": row.overturns,
    }


def search_json(answer: SearchAnswer, *, explained: bool) -> dict[str, Any]:
    return {
        "query": answer.query.text,
        "mode": answer.query.mode,
        "intent": "general",
        "voices": ["lexical"],
        "inactive_voices": answer.inactive_voices,
        "results": [_result_json(result, explained=explained) for result in answer.results],
        "total_considered": answer.total_considered,
    }


def _result_json(result: Result, *, explained: bool) -> dict[str, Any]:
    document = {
        "id": str(result.entry.id),
        "version": result.entry.version,
        "score": result.score,
        "snippet": result.snippet,
        "age": result.age,
        "kind": result.entry.kind.value,
        "type": result.entry.type.value,
        "name": result.entry.name,
        "description": result.entry.description,
    }
    return {**document, "why": _why_json(result.why)} if explained else document


def _why_json(why: Reason) -> dict[str, Any]:
    return {
        "ranks": {"lexical": why.rank},
        "decay": why.decay,
        "confidence": why.confidence,
        "boost": why.boost,
        "diversity": 0.0,
        "matched": list(why.matched),
        "in_other_words": list(why.in_other_words),
        "missing": list(why.missing),
        "coverage": why.coverage,
    }


def explanation_json(explanation: Explanation) -> dict[str, Any]:
    return {
        "query": explanation.query,
        "id": explanation.id,
        "verdict": explanation.verdict,
        "reason": explanation.reason,
        "code": explanation.code,
        "grant_that_would_open": explanation.grant_that_would_open,
        "rank": explanation.rank,
        "why": None if explanation.why is None else _why_json(explanation.why),
    }


def hot_item_json(item: HotItem) -> dict[str, object]:
    return {
        "id": item.number,
        "role": item.role,
        "session": item.session,
        "content": item.content,
        "memory_type": item.memory_type.value,
        "importance": item.importance,
        "created_at": format_instant(item.created_at),
        "expires_at": format_instant(item.expires_at),
    }


def policy_json(proposed: ProposedPolicy) -> dict[str, Any]:
    """The answer to a proposed rule."""
    superseded = [str(id) for id in proposed.superseded]
    return {"id": str(proposed.id), "held": proposed.held, "superseded": superseded, "note": proposed.note}


def observation_json(observation: Observation) -> dict[str, Any]:
    """A dated line of a note, that facts can name as their source."""
    return {"id": observation.id, "note": observation.note, "at": format_instant(observation.at)}


def harvested_json(harvested: Harvested) -> dict[str, Any]:
    """What became of a meeting's decisions."""
    return {
        "decisions": [proposed_json(each) for each in harvested.proposed],
        "known": harvested.known,
        "refused": [{"text": text, "reason": reason} for text, reason in harvested.refused],
    }


def consolidated_json(done: Consolidated, *, dry_run: bool) -> dict[str, Any]:
    """What was merged, promoted, pruned and put in question."""
    return {
        "dry_run": dry_run,
        "run": done.run,
        "merged": [{"stays": str(stays), "superseded": str(gone)} for stays, gone in done.merged],
        "promoted": [str(id) for id in done.promoted],
        "pruned": done.pruned,
        "conflicts": [{"older": str(older), "newer": str(newer)} for older, newer in done.conflicts],
        "diff": done.diff,
    }


def project_json(project: Project) -> dict[str, Any]:
    """A project of the JSON contract; `same_remote` are others that could be joined."""
    return {
        "id": project.id,
        "slug": project.slug,
        "root": project.root,
        "remote": project.remote,
        "why": project.why,
        "same_remote": list(project.same_remote),
    }


def context_json(told: Preamble) -> dict[str, Any]:
    """The preamble of the JSON contract, with its diagnostics."""
    return {
        "text": told.text,
        "characters_used": told.characters_used,
        "truncated": told.truncated,
        "omitted_entry_ids": list(told.omitted),
        "included": [{"id": str(id), "version": version} for id, version in told.included],
    }
