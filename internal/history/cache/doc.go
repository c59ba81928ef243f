// Package cache keeps what a history was made of: the graph of commits, and what the fold took from each. The next run
// then costs what is new.
//
// It is a chain of files in a directory, "0", "1", …, each with the commits that the ones before it have not. A file is
// written whole under another name and never changed, so that readers and writers need no lock: whoever comes last wins,
// and a file that does not follow from the one before it is not read. What is damaged, foreign, of another version or of
// another question counts as not there; all of it can be deleted at any time.
package cache
