// Package layout places the nodes of a directed graph in columns, called layers, so that each edge leads from a layer to a later one, no
// two nodes overlap, no edge runs through a node, and few edges cross. It computes with whole numbers alone, so that the same graph looks
// the same on every machine.
//
// The steps are those of Sugiyama: edges that close a cycle are reversed, nodes are assigned to layers, edges that span several layers
// get a place in each of them, the order within layers is improved layer by layer, and then the nodes are moved to where their
// neighbours are, as far as the order allows. Parts of the graph that no edge connects are laid out apart, and packed into a rectangle.
package layout
