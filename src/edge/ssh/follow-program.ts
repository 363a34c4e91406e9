/**
 * Follows a job in the current folder until its end: pieces of its output as `O size` or `E size` and the bytes, a
 * dot now and then so that both sides notice a dead connection, `W` when it waits to be told to go on, and last `X`
 * with how it ended.
 *
 * Between two looks it sleeps at the job's bell, which the runner rings at the end and a ticker now and then.
 * `follow PATIENCE`: how many rings are allowed before the runner has shown itself; 0 looks at once.
 */
export const followFunctions = `
copy() {
  dd bs=65536 skip="$2" count="$3" iflag=skip_bytes,count_bytes,fullblock status=none <"$1"
}
# Letter, file, from, to. No more is under way at a time than the operator can hold for many machines at once.
send() {
  from=$3
  while [ "$from" -lt "$4" ]; do
    size=$(($4 - from))
    if [ "$size" -gt 65536 ]; then size=65536; fi
    printf '%s %s\\n' "$1" "$size"
    copy "$2" "$from" "$size" || exit 1
    from=$((from + size))
    if [ "$from" -lt "$4" ]; then await_go; fi
  done
}
# A follower whose agent is gone has nobody who listens. The bell cannot tell: followers of one job share it, so what
# was heard last is rung again for the next one.
stay() {
  kill -s 0 $$ 2>/dev/null && return
  echo "$ring" >&5
  exit 1
}
await_go() {
  printf 'W %s\\n' "$PWD" || exit 1
  while read -r ring <&5; do
    stay
    case $ring in go) return ;; esac
  done
}
pieces() {
  set -- $(stat -c %s stdout stderr)
  if [ "$1" -gt "$out" ]; then send O stdout "$out" "$1"; out=$1; fi
  if [ "$2" -gt "$err" ]; then send E stderr "$err" "$2"; err=$2; fi
}
look() {
  over=
  if [ -e exit ]; then over=exit
  elif alive runner.pid || alive pid; then :
  elif [ -e exit ]; then over=exit
  elif [ ! -s runner.pid ] && [ "$rings" -lt "$1" ]; then :
  else over=lost
  fi
}
tick() {
  for span in 0.2 0.3 0.5; do sleep "$span"; echo tick >&5; done
  while sleep 1 && kill -s 0 $$; do echo tick >&5; done
  echo gone >&5
}
follow() {
  out=0 err=0 rings=0
  boot_id
  exec 5<>bell
  tick </dev/null >/dev/null 2>&1 &
  ticker=$!
  while :; do
    if [ "$rings" -gt 0 ] || [ "$1" = 0 ]; then
      look "$1"
      pieces
      [ -z "$over" ] || break
    fi
    read -r ring <&5
    stay
    rings=$((rings + 1))
    if [ $((rings % 10)) = 0 ]; then printf '.\\n' || break; fi
  done
  kill "$ticker"
  if [ "$over" = exit ]; then
    read -r end <exit
    printf 'X %s\\n' "$end"
  else
    then=
    if [ -s runner.pid ]; then read -r pid born then <runner.pid; fi
    if [ -z "$then" ]; then printf 'X outcome=absent\\n'
    elif [ "$then" = "$boot" ]; then printf 'X outcome=lost\\n'
    else printf 'X outcome=rebooted\\n'
    fi
  fi
}
`;
