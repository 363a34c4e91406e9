# Completion of boathook for fish. Load it with: boathook completion fish | source

function __boathook_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l lines ($words[1] __complete -- $words[2..-1] "$current" 2>/dev/null </dev/null)
    if test (count $lines) -eq 1; and test "$lines[1]" = ':0'
        __fish_complete_path "$current"
        return
    end
    for line in $lines
        string match --quiet ':*' -- $line; or echo $line
    end
end

complete --command boathook --no-files --arguments '(__boathook_complete)'
