// Package pipelinecmd holds the commands about the pipeline that items go through: pipeline position, streams.
package pipelinecmd
