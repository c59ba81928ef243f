//go:build web

package webpage_test

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// attack is what the page of another site does with the server: it tries to read and to change, in all the ways that a browser offers.
const attack = `(async () => {
	const origin = %q, got = []
	const attempt = async (name, make) => { try { const text = await make(); if (text) got.push(name + ': ' + text) } catch { /* refused */ } }
	const read = (path, options) => async () => { const reply = await fetch(origin + path, options); return reply.type === 'opaque' ? '' : await reply.text() }
	for (const path of ['/', '/app.js', '/data/board', '/data/about', '/data/live']) {
		await attempt('fetch ' + path, read(path, {}))
		await attempt('no-cors ' + path, read(path, { mode: 'no-cors', credentials: 'include' }))
		await attempt('token ' + path, read(path, { headers: { Authorization: 'Bearer %s' } }))
	}
	await attempt('act', read('/data/act', { method: 'POST', mode: 'no-cors', body: '{"do":"task-add","fields":{"name":"Attacked"}}' }))
	await attempt('act, with the token', read('/data/act', { method: 'POST', body: '{"do":"task-add","fields":{"name":"Attacked"}}', headers: { Authorization: 'Bearer %[2]s' } }))
	const loads = (name, attributes) => new Promise((resolve) => {
		const element = Object.assign(document.createElement(name), attributes, { onload: () => resolve(name), onerror: () => resolve('') })
		document.body.append(element)
		setTimeout(resolve, 1000, '')
	})
	for (const [name, attributes] of [['script', { src: origin + '/dom.js', type: 'module' }], ['script', { src: origin + '/app.js' }], ['img', { src: origin + '/icon.svg' }], ['link', { rel: 'stylesheet', href: origin + '/style.css' }]]) {
		await attempt('load', () => loads(name, attributes))
	}
	const frame = document.createElement('iframe')
	frame.src = origin + '/'
	document.body.append(frame)
	await new Promise((resolve) => { frame.onload = resolve; setTimeout(resolve, 1000) })
	await attempt('frame', () => frame.contentDocument?.body?.innerText ?? '')
	const opened = window.open(origin + '/')
	await new Promise((resolve) => setTimeout(resolve, 500))
	await attempt('window', () => opened.document.body.innerText)
	await attempt('handle', () => opened.closed ? '' : 'a window of it that it can steer')
	const form = Object.assign(document.createElement('form'), { method: 'post', action: origin + '/data/act', enctype: 'text/plain', target: 'elsewhere' })
	form.append(Object.assign(document.createElement('input'), { name: '{"do":"task-add","fields":{"name":"Attacked', value: '"}}' }))
	document.body.append(form)
	form.submit()
	await new Promise((resolve) => setTimeout(resolve, 500))
	return got.join('\n')
})()`

// A page of another site reads nothing and changes nothing, even where it knows the token.
func TestOtherOrigin(t *testing.T) {
	r := smallRepo(t)
	s := serve(t, r, "--write")
	head := r.Git("rev-parse", "HEAD")
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "<!doctype html><title>Another site</title><body>") //nolint:errcheck // to the browser
	}))
	defer site.Close()
	b := newBrowser(t, chromedp.Flag("disable-popup-blocking", true))
	b.do(chromedp.Navigate(site.URL))
	origin, token, _ := strings.Cut(s.url, "/#token=")
	if got := value[string](b, fmt.Sprintf(attack, origin, token)); got != "" {
		t.Errorf("another site got:\n%s", got)
	}
	tree, err := chromedp.Call(b.ctx, page.GetFrameTree, cdp.Empty{})
	if err != nil {
		t.Fatal(err)
	}
	framed := 0
	for _, child := range tree.FrameTree.ChildFrames {
		if framed++; !strings.HasPrefix(child.Frame.URL, "chrome-error:") {
			t.Errorf("another site shows %s in a frame", child.Frame.URL)
		}
	}
	if framed == 0 {
		t.Error("nothing was to be shown in a frame")
	}
	if now := r.Git("rev-parse", "HEAD"); now != head {
		t.Errorf("another site changed the plan: %s", r.Git("log", "-1"))
	}
	b.failures = nil // what was refused is in its console
}

// A name that is resolved to loopback reaches nothing, not even with the token.
func TestRebinding(t *testing.T) {
	s := serve(t, smallRepo(t))
	b := newBrowser(t, chromedp.Flag("host-resolver-rules", "MAP rebound.example 127.0.0.1"))
	_, port, _ := net.SplitHostPort(hostOf(s))
	b.do(chromedp.Navigate(strings.Replace(s.url, "127.0.0.1", "rebound.example", 1)))
	if text := value[string](b, "document.body.innerText"); !strings.Contains(text, "invalid Host") {
		t.Errorf("the page by another name: %s", text)
	}
	_, token, _ := strings.Cut(s.url, "/#token=")
	script := fmt.Sprintf(`fetch('http://rebound.example:%s/data/board', { headers: { Authorization: 'Bearer %s' } }).then((reply) => reply.text(), (error) => 'refused: ' + error)`, port, token)
	if text := value[string](b, script); !strings.Contains(text, "invalid Host") && !strings.Contains(text, "refused") {
		t.Errorf("data by another name: %.300s", text)
	}
}

// A token that is guessed shows nothing.
func TestGuessedToken(t *testing.T) {
	s := serve(t, smallRepo(t))
	b := newBrowser(t)
	b.do(chromedp.Navigate(strings.Split(s.url, "=")[0] + "=AAAAAAAAAAAAAAAAAAAAAAAAAA"))
	b.shows("This page needs the address that git ralph web printed")
	if text := value[string](b, "document.body.innerText"); strings.Contains(text, "parser") {
		t.Errorf("the page shows: %s", text)
	}
	b.do(chromedp.SetValue(chromedp.CSS("input[name=url]"), s.url), chromedp.Click(chromedp.CSS("form button")))
	b.await(column("ready") + `.length > 0`)
}

// A plan of strangers runs nothing and moves nothing out of its place, in any view.
func TestHostilePlan(t *testing.T) {
	s := serve(t, hostileRepo(t), "--write")
	b := newBrowser(t)
	b.open(s.url)
	ids := value[[]string](b, `[...document.querySelectorAll('.card')].map((card) => card.dataset.id)`)
	if len(ids) < 10 {
		t.Fatalf("the cards: %q", ids)
	}
	sound := func(where string) {
		t.Helper()
		if ran := value[string](b, `String(window.ran ?? '')`); ran != "" {
			t.Errorf("%s: %s ran", where, ran)
		}
		if strange := value[string](b, `[...document.querySelectorAll('script:not([src="app.js"]), iframe, object, embed, img, style, a[href^="javascript" i], base, meta[http-equiv]')].map((one) => one.outerHTML).join()`); strange != "" {
			t.Errorf("%s: the page has %s", where, strange)
		}
		if wide := value[string](b, `(() => {
			if (document.scrollingElement.scrollWidth > innerWidth || document.scrollingElement.scrollHeight > innerHeight) return 'the page scrolls'
			const out = [...document.querySelectorAll('header, footer, main, aside:not([hidden]), .column')].filter((one) => { const box = one.getBoundingClientRect(); return !one.closest('.board') && (box.right > innerWidth + 1 || box.left < -1) })
			const cards = [...document.querySelectorAll('.card')].filter((one) => one.offsetHeight !== 66 || one.scrollWidth > one.offsetWidth)
			const pane = document.querySelector('aside')
			return [...out, ...cards].map((one) => one.outerHTML.slice(0, 200)).join() + (pane.scrollWidth > pane.clientWidth ? 'the pane scrolls sideways' : '')
		})()`); wide != "" {
			t.Errorf("%s: out of place: %s", where, wide)
		}
	}
	for _, size := range [][2]int64{{1280, 800}, {800, 600}, {2560, 1300}} {
		b.size(size[0], size[1])
		for _, id := range ids {
			b.script(fmt.Sprintf("location.hash = '#task=%s'", id))
			b.await(fmt.Sprintf(`document.querySelector('#task .pane-head .id')?.textContent === %q`, id))
			sound(id)
		}
		b.screenshot(fmt.Sprintf("hostile-%d", size[0]))
	}
	for _, view := range value[[]string](b, `[...document.querySelectorAll('nav a')].map((a) => a.dataset.view)`) {
		b.script(fmt.Sprintf("location.hash = '#view=%s'", view))
		b.await(fmt.Sprintf(`document.querySelector('#main').dataset.shown === %q`, view))
		sound(view)
		b.screenshot("hostile-" + view)
	}
}
