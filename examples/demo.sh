#!/bin/sh
# What Trinho does, in two minutes, in a root that is removed at the end. No key, no network, no server.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/trinho-demo.XXXXXX")
trap 'rm -rf "$work"' EXIT INT TERM
export TRINHO_MEMORY_ROOT="$work/memory" TRINHO_CONFIG="$work/config.toml"
cd "$work" # so that nothing is taken for a part of a project
export XDG_CACHE_HOME="$work/cache" # the compiled rules of the secret scanner go, too
for marker in CLAUDECODE CLAUDE_CODE_ENTRYPOINT CLAUDE_CODE_SESSION_ID CODEX_SANDBOX \
  CODEX_SANDBOX_NETWORK_DISABLED CODEX_THREAD_ID GEMINI_CLI OPENCODE CURSOR_AGENT; do unset "$marker"; done

step() { printf '\n== %s\n' "$*"; }
run() { printf '$ trinho %s\n' "$*"; trinho "$@"; }
# For what is meant to be refused: shows the exit status, and stops the demo if it was not refused.
refused() {
  printf '$ trinho %s\n' "$*"
  status=0
  trinho "$@" 2>&1 || status=$?
  printf '  (exit status %s)\n' "$status"
  [ "$status" != 0 ]
}

step 'Bring in real records: these decisions, and the memory folder of a team'
run import markdown "$here/docs/decisions" --into project:trinho:decisions
run import markdown "$here/examples/memory" --into project:lantern

step 'One process stores a preference …'
run create shared:user:indentation --type feedback --body 'Indent shell scripts with two spaces, never with tabs.'

step '… another one, acting for an agent, recalls it for a task'
run --as worker context --task 'write a shell script that rotates logs; how do we indent?'

step 'What is known can change: a correction takes the place of the old fact'
run fact propose 'The API client times out after 30 seconds.' --domain api --topic timeouts
run fact propose 'The API client times out after 10 seconds.' --domain api --topic timeouts
run --as worker fact propose 'The API client times out after 10,000 ms.' --domain api --topic timeouts
run --as worker fact propose 'The pages say: retry forever.' --domain api --topic retries --veracity tool
run search 'when does the API client time out?' -k 1
run conflicts
run inbox

step 'What an agent may not read is refused, with the grant that would open it'
printf 'roles:\n  search:\n    memory_read: [shared, "project:lantern"]\n    memory_write: []\n' > "$work/roles.yaml"
run --as search get project:lantern:project_booking_rewrite
refused --as search get project:trinho:decisions:0001-files-are-the-truth
run create private:main:plan --body 'Ask for the budget on Friday.'
refused --as worker get private:main:plan

step 'A person edits the file by hand; an update that has not seen it fails'
file="$TRINHO_MEMORY_ROOT/shared/user/indentation.md"
printf 'In Makefiles use tabs.\n' >> "$file"
refused update shared:user:indentation --expected-version 1 --body 'Indent with four spaces.'
run get shared:user:indentation

step 'Anything can be taken back'
run delete shared:user:indentation --expected-version 2
run undo

step 'Nothing of this happened unseen'
run audit -n 9
run audit verify

step 'It is all plain files'
(cd "$TRINHO_MEMORY_ROOT" && ls -A && ls private/main projects shared/user)
run doctor
printf '\nThe root of this demo, %s, is removed now.\n' "$TRINHO_MEMORY_ROOT"
