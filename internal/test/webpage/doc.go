// Package webpage tests the page of `git ralph web` in a browser, with the built programs and real repositories. It needs Chromium: see
// make test-web.
package webpage
