# Completion of boathook for bash. Load it with: source <(boathook completion bash)

_boathook() {
  local program=${COMP_WORDS[0]/#\~/$HOME}
  # An alias or a function of another name.
  [[ $(type -t -- "$program") == file ]] || program=boathook
  # Bash splits words at = and : too. They are joined here, because boathook expects them as the person wrote them.
  local -a words=()
  local index word joins=
  for ((index = 1; index <= COMP_CWORD; index++)); do
    word=${COMP_WORDS[index]}
    if [[ ${#words[@]} -gt 0 && ($joins == yes || $word == [=:]*) ]]; then
      words[${#words[@]} - 1]+=$word
    else
      words+=("$word")
    fi
    joins=
    [[ $word == *[=:] ]] && joins=yes
  done
  local line directive=4
  local -a values=()
  while IFS= read -r line; do
    case $line in
      :*) directive=${line#:} ;;
      ?*) values+=("${line%%$'\t'*}") ;;
    esac
  done < <("$program" __complete -- "${words[@]//[\"\']/}" 2>/dev/null </dev/null)
  # Bash replaces only what follows the last = or :, which is its second argument.
  local last=${words[${#words[@]} - 1]//[\"\']/}
  local before=${last%"$2"}
  COMPREPLY=("${values[@]#"$before"}")
  if ((directive == 0)); then compopt -o default 2>/dev/null; fi
}

complete -F _boathook boathook
