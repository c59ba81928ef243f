// Package hubgate connects the commands of workplans with the State Hub: it queues what they change, and has git-ralph-ui send it.
package hubgate
