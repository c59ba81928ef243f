# Completion of git-ralph for fish: of `git-ralph`, and of `git ralph`.
# What may come next is asked of git-ralph itself; nothing of its answer is ever evaluated.

# Prints what may come next behind the words given, one candidate a line with its description.
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

# Candidates for `git-ralph …`.
function __git_ralph_alone
    set -l words (commandline -opc)
    __git_ralph_ask __complete $words[2..]
end

complete -c git-ralph -f -a '(__git_ralph_alone)' -k
