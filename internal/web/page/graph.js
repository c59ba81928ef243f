// What waits for what. The server has laid it out; here it is drawn, as much of it as can be seen, and moved with mouse, wheel and keys.

import { count, el, number, replace, svg } from './dom.js'
import { cut } from './cut.js'
import { Overview } from './overview.js'
import { get } from './net.js'
import { go, noMatch } from './address.js'

const readable = 0.6 // the scale from which on names are shown
const largest = 2.5
const step = 1.25
const margin = 24
const manyEdges = 4000 // more cannot be seen apart where all of the graph is shown, and take the browser a minute
const near = 0.9 // the scale at which a task is shown where all of them could not be read

// graph makes the view.
export function graph(page) {
  const edges = svg('path', { class: 'edge' })
  const open = svg('path', { class: 'edge open' })
  const heads = [svg('path', { class: 'head' }), svg('path', { class: 'head open' })]
  const boxes = svg('g')
  const nodes = svg('g')
  const moved = svg('g', {}, edges, open, heads, boxes, nodes)
  const picture = svg('svg', { class: 'graph', role: 'group', 'aria-label': 'Graph of what waits for what: arrow keys move between tasks, plus and minus zoom, 0 shows all' }, moved)
  const note = el('span', { class: 'quiet' })
  const empty = el('p', { class: 'empty', hidden: true })
  const button = (text, about, onclick) => el('button', { type: 'button', 'aria-label': about, title: about, onclick }, text)
  const view = { x: 0, y: 0, scale: 1 }
  const overview = new Overview((x, y) => { untouched = false; place(x, y, 0.5) })
  const map = el('button', { type: 'button', 'aria-pressed': 'true', title: 'Show all of it small, in the corner', onclick: () => {
    overview.wanted = !overview.wanted
    map.setAttribute('aria-pressed', overview.wanted)
    draw()
  } }, 'Overview')
  const of = el('select', { id: 'graph-of', title: 'Around the open task is what it waits for, and what needs it', onchange: () => { page.kept.delete('graph'); page.show() } },
    [['', 'all tasks'], ['pending', 'pending tasks'], ['task', 'around the open task']].map(([value, title]) => el('option', { value }, title)))
  const shown = new Map() // links, by the index of their node
  let data = { nodes: [], edges: [], width: 0, height: 0 }
  let active = 0
  let untouched = true // nobody has moved it since it was fitted to the window
  let frame

  const later = () => { frame ??= requestAnimationFrame(() => { frame = undefined; draw() }) }

  function zoom(factor, x = picture.clientWidth / 2, y = picture.clientHeight / 2) {
    const scale = Math.min(largest, Math.max(smallest(), view.scale * factor))
    view.x = x - (x - view.x) * scale / view.scale
    view.y = y - (y - view.y) * scale / view.scale
    view.scale = scale
    untouched = false
    later()
  }

  // width is of what the pane of a task does not cover.
  function width() {
    const pane = document.getElementById('task').getBoundingClientRect() // of no size where it is hidden
    const { left, right } = picture.getBoundingClientRect()
    return pane.width > 0 && pane.left < right ? Math.max(100, pane.left - left) : picture.clientWidth
  }

  const all = () => Math.min((width() - 2 * margin) / Math.max(1, data.width), (picture.clientHeight - 2 * margin) / Math.max(1, data.height))
  const smallest = () => Math.max(0.001, Math.min(1, all()))

  function showAll() {
    view.scale = smallest()
    view.x = (width() - data.width * view.scale) / 2
    view.y = (picture.clientHeight - data.height * view.scale) / 2
    untouched = true
    later()
  }

  // place shows a point at a part of the width, and in the middle of the height.
  function place(x, y, part) {
    view.x = width() * part - x * view.scale
    view.y = picture.clientHeight / 2 - y * view.scale
    later()
  }

  function center(index) {
    const node = data.nodes[index]
    if (!node) return
    view.scale = Math.max(view.scale, near)
    place(node.x + node.width / 2, node.y + node.height / 2, 0.5)
    view.x = Math.max(view.x, 8 - node.x * view.scale) // its beginning at least
  }

  function inside({ x, y, width: wide, height }) {
    const left = view.x + x * view.scale
    const top = view.y + y * view.scale
    const right = left + wide * view.scale
    const bottom = top + height * view.scale
    return view.scale >= readable && left >= 0 && top >= 0 && right <= width() && bottom <= picture.clientHeight && !(left < covered()[0] && bottom > picture.clientHeight - covered()[1])
  }

  // covered returns how much of the lower left corner the overview covers.
  function covered() {
    const [wide, high] = overview.element.hidden ? [] : overview.size(width(), picture.clientHeight) ?? []
    return wide ? [wide + margin, high + margin] : [0, 0]
  }

  function draw() {
    moved.setAttribute('transform', `translate(${view.x} ${view.y}) scale(${view.scale})`)
    const left = -view.x / view.scale - 50
    const top = -view.y / view.scale - 50
    const right = left + picture.clientWidth / view.scale + 100
    const bottom = top + picture.clientHeight / view.scale + 100
    const seen = (box) => box.x < right && box.x + box.width > left && box.y < bottom && box.y + box.height > top
    const paths = ['', '']
    const tips = ['', '']
    for (const edge of view.scale >= 0.1 || data.edges.length <= manyEdges ? data.edges : []) {
      if (!seen(edge.box)) continue
      paths[edge.open ? 1 : 0] += seenPath(edge, seen)
      if (view.scale >= readable) tips[edge.open ? 1 : 0] += edge.head
    }
    edges.setAttribute('d', paths[0])
    open.setAttribute('d', paths[1])
    heads.forEach((head, i) => head.setAttribute('d', tips[i]))
    const whole = untouched && all() >= view.scale
    overview.show(view, width(), picture.clientHeight, whole)
    map.hidden = whole
    const visible = new Set()
    data.nodes.forEach((node, index) => { if (seen(node)) visible.add(index) })
    drawNodes(visible, view.scale >= readable)
  }

  // Names are made for what can be read; all else are boxes, one path for each status.
  function drawNodes(visible, named) {
    const rest = new Map()
    for (const [index, link] of shown) {
      if (!named || !visible.has(index)) {
        if (index === active) continue
        link.remove()
        shown.delete(index)
      }
    }
    for (const index of visible) {
      const node = data.nodes[index]
      if (named) make(index)
      else rest.set(node.status, `${rest.get(node.status) ?? ''}M${node.x} ${node.y}h${node.width}v${node.height}h${-node.width}z`)
    }
    make(active)
    replace(boxes, [...rest].map(([status, d]) => svg('path', { class: `box ${status}`, d })))
  }

  function make(index) {
    if (shown.has(index) || !data.nodes[index]) return
    const node = data.nodes[index]
    const link = svg('a', { href: go({ task: node.id }), class: `node ${node.status}`, 'data-id': node.id, tabindex: index === active ? 0 : -1, transform: `translate(${node.x} ${node.y})` },
      svg('title', {}, `${node.id}, ${node.status}: ${node.name}`),
      svg('rect', { class: 'back', width: node.width, height: node.height, rx: 5 }), svg('rect', { class: 'stripe', width: 5, height: node.height, rx: 2 }),
      svg('text', { class: 'node-id', x: 14, y: 17 }, cut(node.id, node.width - 86, 'id')), svg('text', { class: 'node-status', x: node.width - 8, y: 17 }, node.status),
      node.lines.map((line, i) => svg('text', { class: 'node-name', x: node.rtl ? node.width - 10 : 14, y: 35 + 15 * i, direction: node.rtl && 'rtl' }, cut(line, node.width - 24, 'name'))))
    link.classList.toggle('open', page.where.task === node.id)
    link.addEventListener('focus', () => activate(index))
    nodes.append(link)
    shown.set(index, link)
  }

  function activate(index) {
    shown.get(active)?.setAttribute('tabindex', -1)
    active = index
    shown.get(index)?.setAttribute('tabindex', 0)
  }

  // move focuses the nearest node in a direction, one that is connected where there is any.
  function move(dx, dy) {
    const from = data.nodes[active]
    const connected = new Set(data.edges.flatMap((edge) => (edge.from === active ? [edge.to] : edge.to === active ? [edge.from] : [])))
    let best
    data.nodes.forEach((node, index) => {
      const along = (node.x - from.x) * dx + (node.y - from.y) * dy
      const across = Math.abs((node.x - from.x) * dy + (node.y - from.y) * dx)
      if (along <= 0) return
      const cost = along + 2 * across + (dx && connected.has(index) ? -1e6 : 0)
      if (!best || cost < best.cost) best = { cost, index }
    })
    if (best) focusNode(best.index)
  }

  function focusNode(index) {
    activate(index)
    if (!inside(data.nodes[index])) center(index)
    make(index)
    activate(index)
    shown.get(index)?.focus({ preventScroll: true })
  }

  picture.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const does = {
      ArrowLeft: () => move(-1, 0), ArrowRight: () => move(1, 0), ArrowUp: () => move(0, -1), ArrowDown: () => move(0, 1),
      '+': () => zoom(step), '=': () => zoom(step), '-': () => zoom(1 / step), 0: showAll, Home: () => focusNode(0), End: () => focusNode(data.nodes.length - 1),
    }[event.key]
    if (!does) return
    event.preventDefault()
    event.stopPropagation()
    does()
  })
  picture.addEventListener('wheel', (event) => {
    event.preventDefault()
    if (event.ctrlKey || !event.shiftKey) zoom(Math.exp(-event.deltaY / 400), event.offsetX, event.offsetY)
    else { untouched = false; view.x -= event.deltaY; later() }
  }, { passive: false })
  picture.addEventListener('pointerdown', (down) => {
    if (down.button !== 0 || down.target.closest('a')) return
    picture.setPointerCapture(down.pointerId)
    const begin = { x: view.x - down.clientX, y: view.y - down.clientY }
    const drag = (event) => { untouched = false; view.x = begin.x + event.clientX; view.y = begin.y + event.clientY; later() }
    picture.addEventListener('pointermove', drag)
    picture.addEventListener('lostpointercapture', () => picture.removeEventListener('pointermove', drag), { once: true })
  })
  new ResizeObserver(() => { if (untouched) begin(); later() }).observe(picture)

  const tools = el('div', { class: 'view-tools' }, button('+', 'Zoom in', () => zoom(step)), button('−', 'Zoom out', () => zoom(1 / step)), button('All', 'Show all', showAll), map, el('label', { class: 'field' }, 'Show ', of), note)

  return {
    name: 'graph', title: 'Graph', key: '2', filters: true, ofPast: true, element: el('div', { class: 'view' }, el('h2', { class: 'unseen' }, 'Graph'), tools, el('div', { class: 'graph-place' }, picture, overview.element), empty),
    read: (at, where) => get('graph', { ...at, q: where.q, pending: of.value === 'pending' ? 1 : '', task: of.value === 'task' ? where.task : '' }),
    ofTask: () => of.value === 'task',
    show(now, where) {
      const what = JSON.stringify([where.q, where.worktree, of.value, of.value === 'task' && where.task])
      const first = data.nodes.length === 0 || what !== this.what
      const focused = picture.contains(document.activeElement) && data.nodes[active]?.id
      this.what = what
      data = now
      for (const edge of data.edges) Object.assign(edge, headOf(edge))
      for (const link of shown.values()) link.remove()
      shown.clear()
      const again = data.nodes.findIndex((node) => node.id === (focused || where.task))
      active = Math.max(0, again)
      const kinds = ['task', 'issue', 'item'].map((kind) => [kind, data.nodes.filter((node) => node.kind === kind).length]).filter(([kind, n]) => n > 0 || kind === 'task')
      replace(note, `${kinds.map(([kind, n]) => count(n, kind)).join(', ')}, ${count(data.edges.length, 'dependency', 'dependencies')}`, data.hidden ? `, ${number(data.hidden)} not shown` : '', of.value === 'task' && !where.task && ': no task is open')
      empty.hidden = data.nodes.length > 0
      picture.parentElement.hidden = data.nodes.length === 0
      replace(empty, data.hidden ? (where.q ? noMatch() : 'Nothing matches.') : 'The plan has no task.')
      overview.set(data)
      if (first) begin()
      draw()
      if (focused && again >= 0) focusNode(again)
    },
    mark() {
      const { task } = page.where
      for (const link of shown.values()) link.classList.toggle('open', link.dataset.id === task)
      const seen = `${task} ${width()}` // the pane of the task may come later than its mark, and cover it
      if (seen === this.seen) return
      this.seen = seen
      const index = data.nodes.findIndex((node) => node.id === task)
      if (index >= 0 && !inside(data.nodes[index])) center(index)
      else if (index < 0 && untouched && all() >= readable) showAll()
    },
    focus() { if (data.nodes.length > 0) focusNode(active) },
    current() {
      const id = document.activeElement?.closest?.('.node')?.dataset.id
      return id && data.nodes.find((node) => node.id === id)
    },
  }

  // begin shows all where that can be read, else the task that is open, or the ready one that most others wait for.
  function begin() {
    if (data.nodes.length === 0) return
    if (all() >= readable) { showAll(); return }
    view.scale = near
    const chosen = data.nodes.findIndex((node) => node.id === page.where.task)
    const node = data.nodes[chosen >= 0 ? chosen : mostNeeded()]
    place(node.x + node.width / 2, node.y + node.height / 2, chosen >= 0 ? 0.5 : 0.3)
    view.x = Math.min(margin, Math.max(view.x, width() - margin - data.width * view.scale))
    view.y = Math.min(margin, Math.max(view.y, picture.clientHeight - margin - (overview.size(width(), picture.clientHeight)?.[1] ?? 0) - data.height * view.scale))
    untouched = true
  }

  function mostNeeded() {
    const needs = data.nodes.map((node) => (node.status === 'ready' ? 1 : 0))
    for (const edge of data.edges) if (needs[edge.from] > 0) needs[edge.from]++
    return needs.indexOf(Math.max(...needs))
  }
}

// headOf returns the head of an edge's arrow, and the box of the edge.
function headOf({ points, reversed }) {
  const xs = points.filter((_, i) => i % 2 === 0)
  const ys = points.filter((_, i) => i % 2 === 1)
  const x = Math.min(...xs)
  const y = Math.min(...ys)
  const [tipX, tipY] = reversed ? points : points.slice(-2)
  return { head: `M${tipX} ${tipY}l${reversed ? 8 : -8} -4v8z`, box: { x, y, width: Math.max(...xs) - x + 1, height: Math.max(...ys) - y + 1 } }
}

// seenPath returns the path of those parts of an edge that can be seen, straight through the layers and in curves between them: an edge may
// be a hundred windows long, and the browser draws all of a path.
function seenPath({ points }, seen) {
  let path = ''
  let at = -1 // the point that the path has come to
  for (let i = 2; i < points.length; i += 2) {
    const x0 = points[i - 2]
    const y0 = points[i - 1]
    const x = points[i]
    const y = points[i + 1]
    if (!seen({ x: Math.min(x0, x), y: Math.min(y0, y), width: Math.abs(x - x0) + 1, height: Math.abs(y - y0) + 1 })) continue
    if (at !== i - 2) path += `M${x0} ${y0}`
    const middle = (x0 + x) / 2
    path += y0 === y ? `L${x} ${y}` : `C${middle} ${y0} ${middle} ${y} ${x} ${y}`
    at = i
  }
  return path
}
