// Package planrepair makes a valid plan of a file that was merged without the
// merge driver: one with three versions in git's index, with conflict markers, or
// with repeated ids. It is pure: callers pass the versions.
//
// The rules are those of docs/merge.md, "Files that git leaves to you". Package
// merge does all merging; this one only chooses the three versions to merge.
package planrepair
