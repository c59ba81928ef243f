// Package install puts git ralph into git's own files, and takes it out again.
//
// What an installation consists of is one list of items. An Item is a block of lines in one file, between two comments:
//
//	# git ralph: begin
//	…
//	# git ralph: end
//
// Files change by text, never through `git config`: that would write into sections of the user's own, and leave empty
// ones behind. A block is found again whatever was edited around it, and taking it out gives the bytes that were there
// before. What cannot be seen in the file by then (it was new, its last line had no line break) is recorded in the first comment.
// Lines that somebody wrote into a block are theirs and stay.
//
// All files of one call are locked, as git locks its configuration, and prepared before the first one changes.
package install
