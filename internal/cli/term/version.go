package term

import "runtime/debug"

// BuildVersion is what this program says of itself.
func (e *Env) BuildVersion() string {
	if e.Version == "" {
		return builtVersion()
	}
	return e.Version
}

// builtVersion is what the Go toolchain knows of a program that was built
// without a version.
func builtVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "unknown"
}
