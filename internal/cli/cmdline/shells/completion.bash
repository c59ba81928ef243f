# Completion of git-ralph for bash: of `git-ralph`, and of `git ralph` where git's own completion is loaded.
# git-ralph itself prints the candidates; nothing of its output is ever evaluated.

# __git_ralph_ask WORD… fills COMPREPLY with the candidates for the last WORD.
__git_ralph_ask() {
	local word="${!#}" line paths=
	COMPREPLY=()
	while IFS= read -r line; do
		case $line in
		'') ;;
		:files | :dirs) paths=yes ;;
		:revs) __git_ralph_refs "$word" ;;
		*) __git_ralph_add "${line%%$'\t'*}" "$word" ;;
		esac
	done <<<"$(git-ralph ${__git_C_args:+"${__git_C_args[@]}"} __complete "$@" 2>/dev/null)"
	if [[ $paths == yes && ${#COMPREPLY[@]} -eq 0 ]]; then
		compopt -o default +o nospace 2>/dev/null
	else
		compopt +o default +o bashdefault 2>/dev/null
	fi
}

# __git_ralph_add CANDIDATE WORD adds a candidate, quoted. Readline completes only what follows a "=".
__git_ralph_add() {
	local text=$1 quoted
	if [[ $2 == --*=* && $COMP_WORDBREAKS == *=* ]]; then text=${text#*=}; fi
	printf -v quoted %q "$text"
	COMPREPLY+=("$quoted ")
}

# __git_ralph_refs WORD adds the references that begin with WORD, or with its part after "..".
__git_ralph_refs() {
	local ref before=
	declare -F __git_refs >/dev/null || return
	if [[ $1 == *..* ]]; then before=${1%..*}..; fi
	while IFS= read -r ref; do
		if [[ -n $ref ]]; then COMPREPLY+=("$ref "); fi
	done <<<"$(__git_refs "" "" "$before" "${1#"$before"}" 2>/dev/null)"
}

# _git_ralph completes `git ralph`: git's completion calls it, with words and cword set.
_git_ralph() {
	local first=${__git_cmd_idx:-1}
	# shellcheck disable=SC2154
	while [[ -z ${__git_cmd_idx:-} && $first -lt $cword && ${words[first]} != ralph ]]; do first=$((first + 1)); done
	__git_ralph_ask "${words[@]:first+1:cword-first}"
}

# __git_ralph_alone completes `git-ralph`. Bash splits "--flag=value"; here it is joined again.
__git_ralph_alone() {
	local -a words=()
	local i word last=-1
	for ((i = 1; i <= COMP_CWORD; i++)); do
		word=${COMP_WORDS[i]//[\\\"\']/}
		if ((last >= 0)) && [[ ${words[last]} == --* && ($word == '=' || ${words[last]} == *=) ]]; then
			words[last]+=$word
		else
			words+=("$word")
			last=$((last + 1))
		fi
	done
	__git_ralph_ask "${words[@]}"
}

complete -o nospace -F __git_ralph_alone git-ralph
