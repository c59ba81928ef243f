# Completion of git-ralph for fish: of `git-ralph`, and of `git ralph`.
# git-ralph itself prints the candidates; nothing of its output is ever evaluated.

# Runs git-ralph with the words given and the one that is being typed, and prints the candidates for that one.
function __git_ralph_ask
    set -l current (commandline -ct)
    for line in (git-ralph $argv "$current" 2>/dev/null)
        switch $line
            case :files
                __fish_complete_path "$current"
            case :dirs
                __fish_complete_directories "$current"
            case :revs
                functions -q __fish_git_refs; and __fish_git_refs
            case '*'
                printf '%s\n' $line
        end
    end
end

# Completes `git-ralph …`.
function __git_ralph_alone
    set -l words (commandline -opc)
    __git_ralph_ask __complete $words[2..]
end

# Prints the arguments of git-ralph for `git … ralph …`. Fails where the line has another command of git.
function __git_ralph_below_git
    set -l words (commandline -opc)
    set -l directories
    set -e words[1]
    while set -q words[1]
        switch $words[1]
            case -C
                set -a directories -C $words[2]
                set -e words[1..2]
            case -c --git-dir --work-tree --namespace --config-env
                set -e words[1..2]
            case '-*'
                set -e words[1]
            case ralph
                printf '%s\n' $directories __complete $words[2..]
                return
            case '*'
                return 1
        end
    end
    return 1
end

complete -c git-ralph -f -k -a '(__git_ralph_alone)'
complete -c git -f -k -n '__git_ralph_below_git >/dev/null' -a '(__git_ralph_ask (__git_ralph_below_git))'
