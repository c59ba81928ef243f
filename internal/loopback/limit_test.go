package loopback

import (
	"context"
	"io"
	"net"
	"net/http"
	"testing"
	"time"
)

// TestCrowd: strangers who hold more connections open than there may be, whether they have sent nothing, a part of a request or a whole one,
// neither keep out who has the token nor end the connection that it has.
func TestCrowd(t *testing.T) {
	l, err := Listen(0)
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(t.Context())
	served := make(chan error, 1)
	page := http.NewServeMux()
	page.Handle("/data", (&Guard{Token: "token"}).Handler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "data") })))
	page.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "page") })
	go func() { served <- l.Serve(ctx, l.Local(page)) }()
	t.Cleanup(func() { end(); <-served })

	get := func(client *http.Client, path string) {
		t.Helper()
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+l.Host()+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer token")
		response, err := client.Do(request)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		defer response.Body.Close()
		if text, err := io.ReadAll(response.Body); err != nil || string(text) != path[1:] && path != "/" {
			t.Fatalf("%s: %q, %v", path, text, err)
		}
	}
	dialled := 0
	owner := &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		dialled++
		return (&net.Dialer{}).DialContext(ctx, network, address)
	}}}
	defer owner.CloseIdleConnections()
	get(owner, "/data")
	for i := range maxConnections + 100 {
		c, err := net.Dial("tcp", l.Host())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		io.WriteString(c, []string{"", "GET / HTTP/1.1\r\nHost: ", "GET / HTTP/1.1\r\nHost: " + l.Host() + "\r\n\r\n"}[i%3]) //nolint:errcheck // some are closed by then
	}
	get(owner, "/data")
	if dialled != 1 {
		t.Errorf("the owner had to connect %d times", dialled)
	}
	for range 3 {
		other := &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{}}
		get(other, "/")
		get(other, "/data")
		other.CloseIdleConnections()
	}
}
