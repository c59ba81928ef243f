// Package pull decides about pull requests: whether one may be merged, and what it says. It connects to nothing.
package pull
