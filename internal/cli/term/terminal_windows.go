package term

import (
	"os"

	"golang.org/x/sys/windows"
)

// terminal reports whether a file is a terminal that understands escape
// sequences, and its width in columns. Older consoles do not count as terminals.
func terminal(f *os.File) (width int, ok bool) {
	handle := windows.Handle(f.Fd())
	var mode uint32
	if windows.GetConsoleMode(handle, &mode) != nil {
		return 0, false
	}
	if windows.SetConsoleMode(handle, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) != nil {
		return 0, false
	}
	var info windows.ConsoleScreenBufferInfo
	if windows.GetConsoleScreenBufferInfo(handle, &info) != nil {
		return 0, true
	}
	return int(info.Window.Right-info.Window.Left) + 1, true
}
