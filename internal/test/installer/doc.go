// Package installer holds no code, only the tests of install.sh: what it puts under the prefix, that it takes exactly
// that away again, and that it leaves nothing behind when it fails. They run under every POSIX shell that is found.
package installer
