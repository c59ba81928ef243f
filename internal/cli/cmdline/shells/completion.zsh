#compdef git-ralph
#description keep the plan of a coding agent in git

# Completion of git-ralph for zsh: of `git-ralph`, and of `git ralph` through zsh's own completion of git.
# git-ralph itself prints the candidates; nothing of its output is ever evaluated.

local line value about
local -a directory values shown
integer width=0 found=1
directory=(${opt_args[-C]:+-C ${(Q)opt_args[-C]}})

for line in "${(@f)$(git-ralph $directory __complete "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}"; do
	case $line in
		'') ;;
		:files) _files && found=0 ;;
		:dirs) _files -/ && found=0 ;;
		:revs) (( $+functions[__git_revisions] )) && __git_revisions && found=0 ;;
		*)
			values+=("${line%%$'\t'*}")
			shown+=("${line#*$'\t'}")
			(( ${#values[-1]} > width )) && width=${#values[-1]}
			;;
	esac
done

for (( i = 1; i <= $#values; i++ )); do
	about=$shown[i]
	shown[i]=$values[i]
	[[ -n $about ]] && shown[i]="${(r:width:)values[i]}  -- $about"
done
(( $#values )) && compadd -l -V git-ralph -d shown -a values && found=0
return found
