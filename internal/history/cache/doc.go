// Package cache stores what a history was made of: the graph of commits, and what each of them records. The next run then only
// reads new commits.
//
// It is a chain of files in a directory, "0", "1", …, each with the commits that the ones before it lack. A file is written
// completely under another name and never changed, so that readers and writers need no lock: the last writer wins,
// and a file that does not follow from the one before it is not read. What is damaged, foreign, of another version or of
// another question counts as not there; all of it can be deleted at any time.
package cache
