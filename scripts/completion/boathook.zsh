#compdef boathook
compdef _boathook boathook

# Completion of boathook for zsh. Load it with: source <(boathook completion zsh)

_boathook() {
  local line value directive=4
  local -a given described
  given=("${(@Q)words[2,CURRENT]}")
  for line in "${(@f)$("${(Q)words[1]/#\~/$HOME}" __complete -- "${given[@]}" 2>/dev/null </dev/null)}"; do
    case $line in
      :*) directive=${line#:} ;;
      *$'\t'*)
        value=${line%%$'\t'*}
        described+=("${value//:/\\:}:${line#*$'\t'}")
        ;;
      ?*) described+=("${line//:/\\:}") ;;
    esac
  done
  if (( ${#described} > 0 )); then
    _describe -V boathook described
  elif (( directive == 0 )); then
    _files
  fi
}

# As a file of the fpath this runs at the first completion.
if [ "$funcstack[1]" = "_boathook" ]; then
  _boathook
fi
