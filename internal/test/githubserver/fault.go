package githubserver

import (
	"fmt"
	"hash/fnv"
	"net/http"
	"net/http/httptest"
)

// A Fault is what goes wrong with a request.
type Fault int

// The faults.
const (
	None         Fault = iota
	DropBefore         // the connection ends before anything is done
	DropAfter          // it is done, and the connection ends before the reply
	HalfBody           // it is done, and half of the reply comes
	BadGateway         // 502, and nothing is done
	BadGatewayOf       // 502, and it is done
	TooMany            // 429 with Retry-After
	Secondary          // 403 with Retry-After
	SecondaryBare
	Primary // 403, and no requests are left
	Faults  // how many there are
)

// before fails a request that is not done. It reports whether it did.
func (f Fault) before(w http.ResponseWriter) bool {
	const slow = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."
	switch f {
	case DropBefore:
		hangUp(w, nil)
	case BadGateway:
		w.WriteHeader(http.StatusBadGateway)
		fmt.Fprint(w, "<html><title>502 Bad Gateway</title></html>")
	case TooMany:
		w.Header().Set("Retry-After", "2")
		refuse(w, http.StatusTooManyRequests, slow)
	case Secondary:
		w.Header().Set("Retry-After", "3")
		refuse(w, http.StatusForbidden, slow)
	case SecondaryBare:
		refuse(w, http.StatusForbidden, slow)
	case Primary:
		w.Header().Set("X-RateLimit-Remaining", "0")
		w.Header().Set("X-RateLimit-Reset", "5")
		refuse(w, http.StatusForbidden, "API rate limit exceeded for user ID 1.")
	default:
		return false
	}
	return true
}

// after sends the reply to a request that was done.
func (f Fault) after(w http.ResponseWriter, answer *httptest.ResponseRecorder) {
	switch f {
	case DropAfter:
		hangUp(w, nil)
	case HalfBody:
		hangUp(w, answer)
	case BadGatewayOf:
		w.WriteHeader(http.StatusBadGateway)
	default:
		for name, values := range answer.Header() {
			w.Header()[name] = values
		}
		w.WriteHeader(answer.Code)
		w.Write(answer.Body.Bytes()) //nolint:errcheck // the client may have gone
	}
}

// hangUp ends the connection, after half of a reply if there is one.
func hangUp(w http.ResponseWriter, answer *httptest.ResponseRecorder) {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(err)
	}
	if answer != nil {
		body := answer.Body.Bytes()
		fmt.Fprintf(conn, "HTTP/1.1 %d %s\r\nContent-Length: %d\r\n\r\n%s", answer.Code, http.StatusText(answer.Code), len(body), body[:len(body)/2])
	}
	conn.Close() //nolint:errcheck // that is all it is for
}

// FailOnce has one request meet a fault, counted from 0. during is called before that.
func (s *Server) FailOnce(at int, fault Fault, during func()) {
	n := 0
	s.Fail(func(*http.Request) Fault {
		if n++; n-1 != at {
			return None
		}
		during()
		return fault
	})
}

func etag(body []byte) string {
	h := fnv.New64a()
	h.Write(body)
	return fmt.Sprintf(`W/"%x"`, h.Sum64())
}
