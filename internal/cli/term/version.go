package term

import "runtime/debug"

// BuildVersion returns the version of this program.
func (e *Env) BuildVersion() string {
	if e.Version == "" {
		return builtVersion()
	}
	return e.Version
}

// builtVersion returns the version that the Go toolchain recorded, for a program that was built
// without one of ours.
func builtVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "unknown"
}
