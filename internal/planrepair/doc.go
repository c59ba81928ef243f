// Package planrepair makes a valid plan of what git and people leave behind when
// they merge plans without the merge driver: three versions in git's index,
// conflict markers, ids that stand twice. It is pure: the versions are handed
// in.
//
// The rules are those of docs/merge.md, "Files that git leaves to you". All of
// them end in the one engine, package merge; what is decided here is which
// three versions it is given.
package planrepair
