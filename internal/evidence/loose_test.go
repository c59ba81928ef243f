package evidence

import (
	"bytes"
	"compress/zlib"
	"io"
	"testing"
)

// looseContent returns what the file of a loose object holds.
func looseContent(t *testing.T, data []byte) string {
	t.Helper()
	r, err := zlib.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// loose is the file of a loose object with this content.
func loose(t *testing.T, content string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	w.Write([]byte(content)) //nolint:errcheck // into memory
	w.Close()                //nolint:errcheck // likewise
	return b.Bytes()
}
