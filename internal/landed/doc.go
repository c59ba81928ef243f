// Package landed finds out whether done tasks are part of the target branch: yes, no or unknown, and never a guess.
//
// A task has landed where a commit that made it done can be reached from the target, or a Ralph-Landed trailer of its first-parent line
// names it, and the target has not taken it back; else where the target has equal patches (patch.go). The target's plan shows which
// attempt counts, and by itself proves only work that changes nothing else (shown.go). Where the target has only some of the lines, as
// after a squash that somebody edited, it is unknown.
package landed
