// Package failure keeps one issue at GitHub for each way in which something failed according to the debug log. It decides what these
// issues are to be sent, and connects to nothing.
package failure
