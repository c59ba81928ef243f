// Package target says which State Hub a repository has, and queues what workplans say.
package target
