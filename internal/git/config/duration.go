package config

import (
	"fmt"
	"strings"
	"time"
)

// ParseDuration reads seconds, or a duration such as "15m". It is not negative.
func ParseDuration(value string) (time.Duration, error) {
	d, err := time.ParseDuration(value)
	if err != nil && strings.Trim(value, "0123456789.") == "" { // not "1h30", which would be 30 seconds
		d, err = time.ParseDuration(value + "s")
	}
	if err != nil || d < 0 {
		return 0, fmt.Errorf("invalid duration %q: want one such as 90m", value)
	}
	return d, nil
}
