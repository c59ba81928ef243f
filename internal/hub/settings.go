package hub

import (
	"regexp"
	"strings"
)

// Settings say which hub there is.
type Settings struct {
	URL   string // ralph.hub.url: REST
	MCP   string // ralph.hub.mcp: a URL, or a command
	Topic string // ralph.hub.topic
}

// SettingsFrom reads the settings. get returns the value of a key.
func SettingsFrom(get func(key string) (string, bool)) Settings {
	var s Settings
	s.URL, _ = get("ralph.hub.url")
	s.MCP, _ = get("ralph.hub.mcp")
	s.Topic, _ = get("ralph.hub.topic")
	return s
}

// IsSet reports whether there is a hub. Without one nothing is sent or queued.
func (s Settings) IsSet() bool { return s.URL != "" || s.MCP != "" }

// Protocol returns how the hub is reached. REST is preferred.
func (s Settings) Protocol() Protocol {
	if s.URL != "" {
		return REST
	}
	return MCP
}

// Target returns the URL or command of the hub.
func (s Settings) Target() string {
	if s.URL != "" {
		return s.URL
	}
	return s.MCP
}

// TopicIn returns the first topic_id in a text such as CLAUDE.md, which is followed by a colon or an equals sign; "" where there is
// none.
func TopicIn(text string) string {
	m := regexp.MustCompile("topic_id[\"'`*]*[ \t]*[:=][ \t]*[\"'`*]*([^\\s\"'`*,;]+)").FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	return strings.TrimRight(m[1], ".)")
}
