// Package watch reports changes of what views show: a plan's file, the references of its repository, and the journals of runs. The system
// says that something was written; whether that is a change, the times and sizes of a few files and directories say. So nothing is
// read while nothing changes, and where the system does not say, they are looked at every two seconds.
package watch
