// Package pipelinecmd holds the commands about the pipeline that items go through: pipeline position, streams,
// plan, status, approve and reject.
package pipelinecmd
