// Package pipelineoracle is a second implementation of what the pipeline
// says about a set of items: their group, position, roster and streams.
// It was written from the rules alone, without the product's code, as
// plainly as possible and with other algorithms, so that the two can be
// compared over random items. No program links it.
package pipelineoracle
