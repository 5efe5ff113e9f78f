"""The catalogue of faults, bad input and attacks: each that this release can meet has a test, by name."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
# Fault → the tests that show what becomes of it, as file::function
CATALOGUE = {
    "a kill at a random point of an update": ["faults/test_random_kills.py::test_two_hundred_kills_lose_nothing"],
    "a kill between the file and the index": [
        "faults/test_killed_calls.py::test_a_kill_at_any_call_leaves_the_old_state_or_the_new_one"
    ],
    "a kill after the index": [
        "faults/test_killed_calls.py::test_a_kill_at_any_call_leaves_the_old_state_or_the_new_one"
    ],
    "a power cut": ["faults/test_power_loss.py::test_a_power_cut_at_any_point"],
    "a power cut before a folder is durable": ["faults/test_power_loss.py::test_a_power_cut_at_any_point"],
    "an empty file, an open block": ["hostile/test_tree.py::test_it_is_told_and_left_as_it_is"],
    "a full disk at any call": ["faults/test_failing_calls.py::test_every_call_may_fail"],
    "no room, no right, a disk mounted for reading": [
        "faults/test_failing_calls.py::test_a_root_mounted_for_reading_still_answers",
        "test_bootstrap.py::test_a_root_that_cannot_be_written_is_read",
    ],
    "a failing fsync": [
        "faults/test_failing_calls.py::test_a_failed_fsync_is_not_repeated_on_the_same_descriptor",
        "faults/test_failing_calls.py::test_a_failing_device_is_told_by_doctor_until_a_write_succeeds",
    ],
    "short writes": ["faults/test_failing_calls.py::test_short_reads_and_writes_change_nothing"],
    "too many open files": ["faults/test_failing_calls.py::test_too_many_open_files_while_scanning_are_no_deletions"],
    "a spoilt index": [
        "faults/test_spoilt_index.py::test_a_spoilt_index_is_rebuilt_when_the_root_is_opened",
        "adapters/sqlite/test_sqlite_index.py::test_a_damaged_file_is_found_at_open_and_begun_anew",
    ],
    "an index without its log": ["faults/test_spoilt_index.py::test_a_spoilt_index_is_rebuilt_when_the_root_is_opened"],
    "an index that goes while it is open": [
        "faults/test_spoilt_index.py::test_an_index_that_is_spoilt_while_it_is_open",
        "application/test_watching.py::test_an_index_that_is_rebuilt_elsewhere_is_followed",
    ],
    "an index of a newer version": ["faults/test_spoilt_index.py::test_an_index_of_a_newer_trinho_is_not_written"],
    "stale temporary files": [
        "faults/test_failing_calls.py::test_stale_temporary_files_go_and_those_of_the_living_stay"
    ],
    "two SQLite libraries": [
        "adapters/sqlite/test_connection.py::test_a_query_loads_neither_the_other_sqlite_nor_fts5s_python_part"
    ],
    "a stopped holder of the lock": ["faults/test_at_once.py::test_a_holder_that_is_stopped_is_named"],
    "a clock that goes back": ["faults/test_at_once.py::test_a_clock_that_goes_back_an_hour_changes_no_order"],
    "too little memory": [
        "faults/test_little_memory.py::test_an_import_larger_than_the_memory_goes_file_by_file",
        "faults/test_little_memory.py::test_an_import_for_which_there_is_no_memory_is_refused_in_words",
        "faults/test_interrupted_calls.py::test_an_act_is_done_whole_or_not_at_all",
    ],
    "a torn end of the trail": ["faults/test_torn_trail.py::test_what_was_never_finished_is_cut_and_noted"],
    "two updates of one version": ["faults/test_at_once.py::test_of_contended_updates_none_is_lost"],
    "eight writers": [
        "faults/test_at_once.py::test_creates_of_different_ids_are_all_there",
        "faults/test_at_once.py::test_of_creates_of_one_id_one_wins",
    ],
    "a plain BEGIN": ["adapters/sqlite/test_connection.py::test_every_write_begins_as_one"],
    "an editor that saves during a scan": ["faults/test_files_in_motion.py::test_an_editor_saves_during_a_scan"],
    "a checkout during a search": ["faults/test_files_in_motion.py::test_a_checkout_of_many_files_during_a_search"],
    "a file moved by hand": [
        "faults/test_other_writers.py::test_a_file_moved_by_hand_is_found_and_the_old_name_tells_where"
    ],
    "a file copied by hand": [
        "faults/test_other_writers.py::test_a_file_copied_by_hand_is_a_second_entry",
        "hostile/test_doctor.py::test_the_same_text_twice",
    ],
    "a reader that never ends": [
        "adapters/sqlite/test_connection.py::test_who_reads_on_and_on_is_told_of_until_it_ends",
        "adapters/sqlite/test_connection.py::test_it_stays_small_where_nobody_reads_on",
    ],
    "a network file system": [
        "adapters/files/test_mounts.py::test_the_index_is_kept_elsewhere_and_the_ledger_has_no_shared_memory"
    ],
    "a fork": ["faults/test_at_once.py::test_a_store_carried_through_fork_refuses"],
    "a lock file that is deleted": [
        "faults/test_at_once.py::test_a_lock_file_that_is_deleted_while_it_is_held_is_noticed",
        "faults/test_at_once.py::test_a_lock_file_that_is_swapped_right_before_it_is_locked_is_noticed",
    ],
    "paths for IDs": ["domain/test_ids.py::test_anything_else_is_refused_in_words"],
    "a sibling of the root": ["hostile/test_tree.py::test_a_root_whose_name_goes_on_is_another_one"],
    "a link to a file": ["hostile/test_tree.py::test_no_door_opens_it"],
    "a linked folder": ["hostile/test_tree.py::test_no_door", "hostile/test_doctor.py::test_links_to_folders"],
    "a link that is swapped in": ["hostile/test_swaps.py::test_nothing_outside_is_read_or_written"],
    "links in a circle": ["hostile/test_tree.py::test_it_is_told_and_left_as_it_is"],
    "a folder that contains itself": ["hostile/test_tree.py::test_a_folder_that_contains_itself_is_entered_once"],
    "a hard link": ["hostile/test_tree.py::test_it_is_never_written_through"],
    "a pipe": [
        "hostile/test_tree.py::test_it_is_told_and_left_as_it_is",
        "hostile/test_special_state.py::test_what_stands_in_the_place_of_a_file",
    ],
    "a socket, a device": ["hostile/test_tree.py::test_it_is_told_and_left_as_it_is"],
    "a folder with the name of a file": ["hostile/test_tree.py::test_a_folder_whose_name_ends_like_a_file"],
    "two Unicode forms of one name": [
        "hostile/test_tree.py::test_of_two_the_usual_one_counts",
        "hostile/test_doctor.py::test_two_forms_of_one_name_are_told_once",
    ],
    "names that differ in case": [
        "hostile/test_tree.py::test_the_writer_makes_no_second",
        "hostile/test_tree.py::test_both_are_read_and_told",
    ],
    "device names": ["hostile/test_tree.py::test_it_is_told_and_left_as_it_is"],
    "dots and spaces at the end, colons": [
        "hostile/test_tree.py::test_it_is_told_and_left_as_it_is",
        "adapters/files/test_file_names.py::test_such_a_file_is_told_of_and_stands_in_the_way_of_nothing",
    ],
    "control characters in names": ["hostile/test_tree.py::test_it_is_told_and_left_as_it_is"],
    "turned directions and no width in names": ["domain/test_ids.py::test_a_character_that_nobody_sees_never_gets_in"],
    "names that are no text": [
        "hostile/test_tree.py::test_it_is_told_and_left_as_it_is",
        "cli/test_roots.py::test_a_root_in_bytes_that_are_no_utf8",
    ],
    "long names": ["domain/test_ids.py::test_a_segment_is_at_most_100_bytes"],
    "leading dashes and dots": ["hostile/test_tree.py::test_it_is_told_and_left_as_it_is"],
    "folders without end": ["hostile/test_tree.py::test_it_is_told_and_left_as_it_is"],
    "very many files in a folder": [
        "hostile/test_tree.py::test_a_folder_of_very_many_files_is_looked_over_file_by_file"
    ],
    "a root that is a link, or replaced": [
        "test_bootstrap.py::test_a_symbolic_link_names_its_target",
        "test_bootstrap.py::test_a_root_that_was_replaced_is_noticed",
    ],
    "files that others own or may write": [
        "hostile/test_doctor.py::test_what_every_user_may_write_into",
        "hostile/test_doctor.py::test_what_belongs_to_somebody_else",
    ],
    "no frontmatter": [
        "documents/test_codec.py::test_a_file_without_frontmatter_is_filled_from_its_id_its_body_and_its_date"
    ],
    "a byte order mark": ["documents/test_frontmatter.py::test_any_line_end_and_a_byte_order_mark_are_accepted"],
    "line ends of every kind": ["documents/test_frontmatter.py::test_mixed_line_ends_are_accepted"],
    "other encodings": ["documents/test_codec.py::test_what_is_no_text_is_unreadable"],
    "NUL and binary": ["hostile/test_tree.py::test_it_is_told_and_left_as_it_is"],
    "huge and sparse files": [
        "application/test_any_bytes.py::test_the_limit_is_one_mebibyte",
        "hostile/test_tree.py::test_it_is_told_and_left_as_it_is",
    ],
    "a file that grows": ["faults/test_files_in_motion.py::test_a_file_that_grows_without_end_is_not_read_without_end"],
    "long lines": ["application/test_any_bytes.py::test_nasty_bytes_are_served_in_time"],
    "stacked marks": ["retrieval/test_words.py::test_hostile_text_takes_bounded_time"],
    "letters that look alike": ["hostile/test_tree.py::test_it_is_told_and_left_as_it_is"],
    "hidden instructions": [
        "retrieval/test_framing.py::test_nothing_unseen_is_left_but_layout",
        "documents/test_hidden.py::test_the_first_thing_hidden_is_told_by_its_line",
    ],
    "terminal escapes": ["cli/test_app.py::test_neither_body_nor_names_nor_arguments"],
    "a forged fence": ["retrieval/test_framing.py::test_no_mixture_of_its_pieces"],
    "a second block of frontmatter": ["documents/test_frontmatter.py::test_only_the_first_block_counts"],
    "YAML bombs, anchors, merge keys, duplicates, tags": [
        "documents/test_frontmatter.py::test_what_is_dangerous_or_ambiguous_is_refused_with_line_and_reason"
    ],
    "words that YAML takes for values": ["documents/test_frontmatter.py::test_every_value_stays_the_text_it_is"],
    "dates that are none": ["documents/test_scalars.py::test_what_is_no_instant_is_a_value_error"],
    "long numbers": ["documents/test_scalars.py::test_what_is_no_whole_number_is_a_value_error"],
    "deep nesting, long blocks": ["documents/test_frontmatter.py::test_bombs_are_refused_at_once"],
    "line breaks that only YAML knows": [
        "documents/test_frontmatter.py::test_what_is_dangerous_or_ambiguous_is_refused_with_line_and_reason"
    ],
    "values that would be keys": ["documents/test_scalars.py::test_no_value_can_begin_a_line_of_its_own"],
    "keys, comments and order of others": [
        "documents/test_frontmatter.py::test_a_rewrite_changes_what_it_is_told_and_nothing_else"
    ],
    "a confidence that is none": ["documents/test_scalars.py::test_what_is_no_fraction_is_a_value_error"],
    "distant years": [
        "documents/test_codec.py::test_distant_years_are_accepted",
        "hostile/test_doctor.py::test_a_date_to_come_and_a_word_that_there_is_not",
    ],
    "the syntax of queries": ["application/test_recall.py::test_signs_of_query_languages_are_signs"],
    "long and empty queries": [
        "application/test_recall.py::test_long_and_empty_ones_take_no_time",
        "application/test_recall.py::test_without_words_the_newest_come",
    ],
    "scripts without spaces": ["retrieval/test_lexical.py::test_words_of_one_and_of_two_characters"],
    "any number of results": [
        "application/test_recall.py::test_any_number_of_results",
        "application/test_recall.py::test_a_limit",
    ],
    "a kill within an act on several files": [
        "faults/test_killed_calls.py::test_a_kill_at_any_call_leaves_the_old_state_or_the_new_one",
        "faults/test_interrupted_calls.py::test_an_act_is_done_whole_or_not_at_all",
    ],
    "a supersession that is cut off": ["faults/test_supersession.py::test_cut_off_anywhere_one_of_the_two_is_active"],
    "an agent that retells an attacker's words (MINJA)": [
        "application/test_inbox.py::test_minja_an_agent_s_retelling_stays_its_word_however_often",
        "application/test_facts.py::test_an_agent_never_beats_a_person",
    ],
    "a record made to match a question (AgentPoison)": [
        "application/test_inbox.py::test_agentpoison_one_planted_record_fills_no_answer"
    ],
    "a payload that writes itself anew (MemoryGraft)": [
        "application/test_inbox.py::test_memorygraft_consolidation_raises_no_trust"
    ],
    "what a tool says is to be remembered (SpAIware)": [
        "application/test_inbox.py::test_spaiware_what_a_tool_said_lands_in_the_inbox_and_in_nobody_s_context"
    ],
    "consent by what is said later": ["application/test_inbox.py::test_delayed_consent_an_agent_cannot_accept"],
    "something else than was shown (bait and switch)": [
        "application/test_inbox.py::test_bait_and_switch_what_is_accepted_is_what_was_shown",
        "application/test_facts.py::test_what_cannot_be",
    ],
    "a forged frame or policy": ["application/test_preamble.py::test_of_a_note_and_of_files"],
    "messages that are none": [
        "mcp/test_mcp_server.py::test_what_is_no_request_gets_its_error_and_the_server_stays_up",
        "mcp/test_mcp_server.py::test_a_hundred_megabytes_are_refused_without_being_held",
    ],
    "a log line on the protocol's pipe": [
        "mcp/test_mcp_server.py::test_nothing_but_the_protocol_is_on_standard_output"
    ],
    "a client that dies in the middle of an answer": [
        "mcp/test_mcp_server.py::test_a_client_that_goes_in_the_middle_of_an_answer",
        "mcp/test_mcp_server.py::test_a_dead_parent_ends_it_though_its_input_stays_open",
    ],
    "tools that change after they were approved (rug pull, tool poisoning)": [
        "mcp/test_mcp_tools.py::test_the_tools_are_those_that_clients_have_approved",
        "mcp/test_mcp_tools.py::test_no_text_of_memory_reaches_the_tool_list_or_the_instructions",
    ],
    "what a hidden domain tells": [
        "application/test_domains.py::test_of_nothing_is_anything_said",
        "application/test_domains.py::test_answers_are_the_same_without_it",
    ],
    "a memory that is broken, missing or slow while an agent works": [
        "hooks/test_hooks.py::test_a_broken_memory_breaks_no_turn",
        "hooks/test_hooks.py::test_a_missing_memory_breaks_no_turn",
        "hooks/test_hooks.py::test_a_slow_memory_holds_up_no_turn",
        "clients/test_sessions_of_clients.py::test_a_broken_memory_leaves_the_turn_alone",
    ],
    "what no client says to a hook": ["hooks/test_hooks.py::test_what_no_client_says_breaks_nothing"],
    "settings that can't be read or written": [
        "setup/test_setup.py::test_a_file_that_is_not_understood",
        "setup/test_newcomers.py::test_what_can_not_be_written_is_told_before_anything_is",
        "setup/test_newcomers.py::test_settings_that_are_nested_too_deeply",
    ],
    "settings that change while they are shown": ["setup/test_setup.py::test_a_file_that_changed_since_it_was_shown"],
    "a repository that says it is another's": [
        "projects/test_projects.py::test_a_mark_without_the_token",
        "projects/test_projects.py::test_a_git_file_that_leads_to_us",
        "projects/test_projects.py::test_the_same_remote_and_name",
        "projects/test_projects.py::test_files_of_the_work_tree_have_no_say",
    ],
    "a person's act from an agent's shell": [
        "clients/test_sessions_of_clients.py::test_what_is_reserved_to_a_person_is_refused_in_the_shell"
    ],
    "words put into a person's mouth": [
        "adapters/test_transcripts.py::test_what_else_stands_in_claude_codes_does_not",
        "adapters/test_transcripts.py::test_what_else_stands_in_codexs_does_not",
        "application/test_stated_facts.py::test_that_of_a_subagent_takes_no_place",
        "clients/test_quotes_of_people.py::test_the_person_is_quoted_and_nobody_else",
    ],
}


def names_in(file: Path) -> set[str]:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("fault", CATALOGUE)
def test_each_fault_has_a_test(fault: str) -> None:
    for place in CATALOGUE[fault]:
        file, _, name = place.partition("::")
        assert name.startswith("test_")
        assert name in names_in(TESTS / file), f"{place} isn't there"
