// The token of this start of the server. It comes in the fragment of the URL, which browsers send nowhere, and is kept for this tab.

const key = 'git-ralph-token'
const channel = new BroadcastChannel(key)
const answerTime = 300 // milliseconds that other tabs have to answer

export let token = sessionStorage.getItem(key) ?? ''

function keep(value) {
  token = value
  sessionStorage.setItem(key, value)
}

// forget is for a token that the server does not know: it was of an earlier start.
export function forget() {
  token = ''
  sessionStorage.removeItem(key)
}

// takeFromURL takes the token out of the address, and leaves the rest of it.
export function takeFromURL() {
  const fragment = new URLSearchParams(location.hash.slice(1))
  if (!fragment.has('token')) return
  keep(fragment.get('token'))
  fragment.delete('token')
  history.replaceState(null, '', fragment.size > 0 ? `#${fragment}` : location.pathname)
}

// fromOtherTab asks the other tabs of this page, and no other site can be one of them.
export function fromOtherTab() {
  return new Promise((resolve) => {
    const done = () => { channel.removeEventListener('message', answered); resolve() }
    const answered = ({ data }) => {
      if (!data.token) return
      keep(data.token)
      done()
    }
    channel.addEventListener('message', answered)
    channel.postMessage({ ask: true })
    setTimeout(done, answerTime)
  })
}

channel.addEventListener('message', ({ data }) => { if (data.ask && token) channel.postMessage({ token }) })
