// Package treemerge merges three trees in memory, as far as no path was changed on both sides. Whatever git would need more
// than that for (the content of a file, a rename that the other side is touched by) is returned as an overlap, for git itself.
//
// A chain of merges reads each tree once and writes none but the last: that is what makes landing hundreds of branches cheap.
package treemerge
