package config

// Getenv returns the value of a variable: the last one if the name occurs twice.
func Getenv(environ []string, key string) (string, bool) {
	for i := len(environ) - 1; i >= 0; i-- {
		kv := environ[i]
		if len(kv) > len(key) && kv[len(key)] == '=' && kv[:len(key)] == key {
			return kv[len(key)+1:], true
		}
	}
	return "", false
}

// HasAny reports whether one of the variables is set.
func HasAny(environ, keys []string) bool {
	for _, key := range keys {
		if _, ok := Getenv(environ, key); ok {
			return true
		}
	}
	return false
}
