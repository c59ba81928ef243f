// Package treemerge merges three trees in memory, as far as no path was changed on both sides. A path that needs more than that
// (a merge of contents, a rename of what the other side changed) is returned as an overlap, for git to merge.
//
// A chain of merges reads each tree once and writes only the last one, so that landing hundreds of branches is cheap.
package treemerge
