/** Says for each path what is there: `directory`, `none`, or `file SHA256 MODE`. */
export const lookProgram = `
for path; do
  if [ -d "$path" ]; then echo directory
  elif [ -f "$path" ]; then
    sum=$(sha256sum <"$path")
    echo "file \${sum%% *} $(stat -L -c %a "$path")"
  else echo none
  fi
done
`;

/**
 * Puts files in place, their contents one after another on the input. Arguments: a tag for temporary names, then for
 * each file path, mode, size and SHA-256. One line each: `ok`, or what went wrong, after which nothing more is done.
 *
 * The folder may belong to somebody else. So nothing is written through a link that another user made, and once the
 * file is opened only the open file is written, checked and given its mode, whatever its name stands for by then.
 */
export const putProgram = `
# Whether no link of another user leads the way to the current folder; else "link" is that link.
own_way() {
  [ "$PWD" = "$1" ] && return 0
  rest=\${1#/} at= me=$(id -u)
  while [ -n "$rest" ]; do
    at=$at/\${rest%%/*}
    case $rest in */*) rest=\${rest#*/} ;; *) rest= ;; esac
    [ -L "$at" ] || continue
    owner=$(stat -c %u "$at")
    if [ "$owner" != 0 ] && [ "$owner" != "$me" ]; then link=$at; return 1; fi
  done
}
tag=$1
shift
umask 077
draft=
trap '[ -z "$draft" ] || rm -f "./$draft"' EXIT
trap 'exit 1' HUP INT TERM PIPE
while [ $# -ge 4 ]; do
  path=$1 mode=$2 size=$3 sum=$4
  shift 4
  folder=\${path%/*}
  folder=\${folder:-/}
  if [ -d "$path" ]; then echo directory; exit 0; fi
  if ! { (umask 022; mkdir -p "$folder") && cd -P "$folder"; }; then echo unwritable; exit 0; fi
  if ! own_way "$folder"; then echo "foreign $link"; exit 0; fi
  draft=.boathook-$tag-$$
  rm -f "./$draft"
  set -C
  if ! { exec 4>"./$draft"; }; then draft=; echo unwritable; exit 0; fi
  set +C
  if [ "$size" -gt 0 ]; then
    dd bs=65536 count="$size" iflag=count_bytes,fullblock status=none >&4
  fi
  written=$(stat -L -c %s /proc/self/fd/4)
  if [ "$written" != "$size" ]; then
    rm -f "./$draft"
    free=$(df -Pk "$folder" | { read -r head; read -r disk blocks used free rest; echo "$free"; })
    echo "short $written $free"
    exit 0
  fi
  have=$(sha256sum </proc/self/fd/4)
  if [ "\${have%% *}" != "$sum" ]; then echo different; exit 0; fi
  if ! { chmod "$mode" /proc/self/fd/4 && mv -fT "./$draft" "./\${path##*/}"; }; then echo unwritable; exit 0; fi
  exec 4>&-
  draft=
  echo ok
done
`;

/** Removes files, and folders that are empty. */
export const removeProgram = `
failed=0
for path; do
  if [ -d "$path" ] && [ ! -L "$path" ]; then rmdir "$path" 2>/dev/null
  else rm -f -- "$path" || failed=1
  fi
done
exit $failed
`;
