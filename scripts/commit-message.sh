#!/bin/sh
# Checks the subject of a commit message: sh scripts/commit-message.sh FILE
# As a hook, once per clone: git config core.hooksPath .githooks
set -eu
longest=72
types='feat|fix|perf|refactor|test|docs|style|build|chore|revert'
text=$(grep -v '^#' "$1" || :)
subject=$(printf '%s\n' "$text" | sed -n 1p)
second=$(printf '%s\n' "$text" | sed -n 2p)

refuse() {
  echo "commit-message: $1" >&2
  echo "  $subject" >&2
  exit 1
}

# git writes these itself.
case $subject in 'Merge '* | 'merge: '* | 'Revert "'* | 'fixup! '* | 'squash! '*) exit 0 ;; esac

length=$(printf %s "$subject" | LC_ALL=C.UTF-8 wc -m)
[ "$length" -le "$longest" ] || refuse "the subject has $length characters; $longest are the most"
printf '%s\n' "$subject" | grep -Eq "^($types)(\([a-z0-9/,. -]+\))?: [^ ].*[^. ]$" ||
  refuse "the subject is not 'type(scope): what changes' without a full stop; types: $(echo "$types" | tr '|' ' ')"
[ -z "$second" ] || refuse 'the second line must be empty'
