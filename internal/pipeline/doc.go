// Package pipeline computes where items are on their way from an idea to merged code: the states of an item and the moves
// between them, the group that items belong to, the phase of a group, the streams that can be worked on at the same time,
// and how many workers of each role that takes.
//
// Everything follows from the values passed in, in whatever order they are.
package pipeline
