// Elements are made here, and text goes into them as text alone. Nothing of the plan is ever read as markup.

const svgNamespace = 'http://www.w3.org/2000/svg'

// visible shows the control characters of a text, but for line feeds and tabs, and marks that change the direction of writing, as git ralph
// prints them.
export function visible(text) {
  // eslint-disable-next-line no-control-regex
  return String(text).replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`)
    .replace(/[\u0080-\u009f\u2028\u2029]|\p{Bidi_Control}/gu, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value)
    else element.setAttribute(name, value === true ? '' : value)
  }
  add(element, children)
  return element
}

// add appends elements and texts; lists are flattened, and what is null is left out.
export function add(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === undefined || child === null || child === false) continue
    element.append(child instanceof Node ? child : visible(child))
  }
}

// el makes an HTML element. Attributes that begin with "on" are listeners.
export const el = (name, attributes = {}, ...children) => fill(document.createElement(name), attributes, children)

// svg makes an SVG element.
export const svg = (name, attributes = {}, ...children) => fill(document.createElementNS(svgNamespace, name), attributes, children)

// foreign makes an element for a text of strangers, whose direction is its own and affects nothing around it.
export const foreign = (name, attributes, text) => el(name, { dir: 'auto', ...attributes, class: `foreign ${attributes.class ?? ''}` }, text)

// few leaves out the marks on a letter that are more than any script needs, and would cover what is around it.
export const few = (text) => text.replace(/([\p{Mn}\p{Me}]{4})[\p{Mn}\p{Me}]+/gu, '$1')

// replace puts children in the place of those that an element has.
export function replace(element, ...children) {
  element.replaceChildren()
  add(element, children)
}

const absolute = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
const brief = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' })
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })

// when shows a time of JSON, as how long ago it was.
export function when(text) {
  const at = new Date(text)
  if (isNaN(at)) return el('span', {}, text)
  return el('time', { datetime: text, title: absolute.format(at) }, ago(at))
}

export const exactly = (text) => absolute.format(new Date(text))
export const briefly = (text) => brief.format(new Date(text))

function ago(at) {
  const seconds = (at - Date.now()) / 1000
  for (const [unit, size, from] of [['second', 1, 60], ['minute', 60, 3600], ['hour', 3600, 86400], ['day', 86400, 30 * 86400]]) {
    if (Math.abs(seconds) < from) return relative.format(Math.round(seconds / size), unit)
  }
  return day.format(at)
}

// lasting shows a duration.
export function lasting(seconds) {
  if (seconds < 60) return `${Math.round(seconds * 10) / 10} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

export const dollars = (cost) => `$${cost.toFixed(2)}`
export const number = (n) => n.toLocaleString()

// count shows a number with its noun.
export const count = (n, noun, nouns = `${noun}s`) => `${number(n)} ${n === 1 ? noun : nouns}`
export const short = (commit) => commit.slice(0, 10)
