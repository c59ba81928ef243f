// What waits for what. The server has laid it out; here it is drawn, as much of it as can be seen, and moved with mouse, wheel and keys.

import { el, replace, svg } from './dom.js'
import { get } from './net.js'
import { go } from './address.js'

const readable = 0.45 // the scale from which on names are shown
const largest = 2.5
const step = 1.25
const margin = 24

// graph makes the view.
export function graph(page) {
  const edges = svg('path', { class: 'edge' })
  const open = svg('path', { class: 'edge open' })
  const boxes = svg('g')
  const nodes = svg('g')
  const clip = svg('rect', { height: 1000 })
  const moved = svg('g', {}, svg('clipPath', { id: 'node-text' }, clip), edges, open, boxes, nodes)
  const picture = svg('svg', { class: 'graph', role: 'group', 'aria-label': 'Graph of what waits for what: arrow keys move between tasks, plus and minus zoom, 0 shows all' }, moved)
  const note = el('span', { class: 'quiet' })
  const button = (text, about, onclick) => el('button', { type: 'button', 'aria-label': about, title: about, onclick }, text)
  const view = { x: 0, y: 0, scale: 1 }
  const shown = new Map() // links, by the index of their node
  let data = { nodes: [], edges: [], width: 0, height: 0 }
  let active = 0
  let frame

  const later = () => { frame ??= requestAnimationFrame(() => { frame = undefined; draw() }) }

  function zoom(factor, x = picture.clientWidth / 2, y = picture.clientHeight / 2) {
    const scale = Math.min(largest, Math.max(smallest(), view.scale * factor))
    view.x = x - (x - view.x) * scale / view.scale
    view.y = y - (y - view.y) * scale / view.scale
    view.scale = scale
    later()
  }

  const all = () => Math.min((picture.clientWidth - 2 * margin) / Math.max(1, data.width), (picture.clientHeight - 2 * margin) / Math.max(1, data.height))
  const smallest = () => Math.max(0.001, Math.min(1, all()))

  function showAll() {
    view.scale = smallest()
    view.x = (picture.clientWidth - data.width * view.scale) / 2
    view.y = (picture.clientHeight - data.height * view.scale) / 2
    later()
  }

  function center(index) {
    const node = data.nodes[index]
    if (!node) return
    view.scale = Math.max(view.scale, 1)
    view.x = picture.clientWidth / 2 - (node.x + node.width / 2) * view.scale
    view.y = picture.clientHeight / 2 - (node.y + node.height / 2) * view.scale
    later()
  }

  function draw() {
    moved.setAttribute('transform', `translate(${view.x} ${view.y}) scale(${view.scale})`)
    const left = -view.x / view.scale - 50
    const top = -view.y / view.scale - 50
    const right = left + picture.clientWidth / view.scale + 100
    const bottom = top + picture.clientHeight / view.scale + 100
    const seen = (box) => box.x < right && box.x + box.width > left && box.y < bottom && box.y + box.height > top
    const paths = ['', '']
    for (const edge of data.edges) {
      if (seen(edge.box)) paths[edge.open ? 1 : 0] += edge.path
    }
    edges.setAttribute('d', paths[0])
    open.setAttribute('d', paths[1])
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
      svg('rect', { class: 'back', width: node.width, height: node.height, rx: 5 }), svg('rect', { class: 'stripe', width: 5, height: node.height, rx: 2 }),
      svg('g', { 'clip-path': 'url(#node-text)' }, // which cuts off what is too wide
        svg('text', { class: 'node-id', x: 14, y: 17 }, node.id), svg('text', { class: 'node-status', x: node.width - 8, y: 17 }, node.status),
        node.lines.map((line, i) => svg('text', { class: 'node-name', x: 14, y: 35 + 15 * i }, line))))
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
    const { x, y, width, height } = data.nodes[index]
    const box = { left: view.x + x * view.scale, top: view.y + y * view.scale }
    if (view.scale < readable || box.left < 0 || box.top < 0 || box.left + width * view.scale > picture.clientWidth || box.top + height * view.scale > picture.clientHeight) center(index)
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
    else { view.x -= event.deltaY; later() }
  }, { passive: false })
  picture.addEventListener('pointerdown', (down) => {
    if (down.button !== 0 || down.target.closest('a')) return
    picture.setPointerCapture(down.pointerId)
    const begin = { x: view.x - down.clientX, y: view.y - down.clientY }
    const drag = (event) => { view.x = begin.x + event.clientX; view.y = begin.y + event.clientY; later() }
    picture.addEventListener('pointermove', drag)
    picture.addEventListener('lostpointercapture', () => picture.removeEventListener('pointermove', drag), { once: true })
  })
  new ResizeObserver(later).observe(picture)

  const tools = el('div', { class: 'view-tools' }, button('+', 'Zoom in', () => zoom(step)), button('−', 'Zoom out', () => zoom(1 / step)), button('All', 'Show all', showAll), note)

  return {
    name: 'graph', title: 'Graph', key: '2', element: el('div', { class: 'view' }, el('h2', { class: 'unseen' }, 'Graph'), tools, picture),
    read: (place, where) => get('graph', { ...place, q: where.q }),
    show(now, where) {
      const first = data.nodes.length === 0 || where.q !== this.q
      const focused = picture.contains(document.activeElement) && data.nodes[active]?.id
      this.q = where.q
      data = now
      clip.setAttribute('width', Math.max(0, (data.nodes[0]?.width ?? 0) - 6))
      for (const edge of data.edges) Object.assign(edge, pathOf(edge.points))
      for (const link of shown.values()) link.remove()
      shown.clear()
      const again = data.nodes.findIndex((node) => node.id === (focused || where.task))
      active = Math.max(0, again)
      replace(note, `${data.nodes.length.toLocaleString()} tasks, ${data.edges.length.toLocaleString()} dependencies`, data.hidden ? `, ${data.hidden.toLocaleString()} hidden by the filter` : '', data.nodes.length ? '' : ': nothing to show')
      if (first) begin(again)
      draw()
      if (focused && again >= 0) focusNode(again)
    },
    mark() { for (const link of shown.values()) link.classList.toggle('open', link.dataset.id === page.where.task) },
    focus() { if (data.nodes.length > 0) focusNode(active) },
    current() {
      const id = document.activeElement?.closest?.('.node')?.dataset.id
      return id && { id, ...data.nodes.find((node) => node.id === id), kind: 'task' }
    },
  }

  // begin shows all where that can be read, else the task that is open, or the beginning.
  function begin(index) {
    if (all() >= readable) { showAll(); return }
    if (index >= 0) { center(index); return }
    Object.assign(view, { scale: 0.8, x: margin, y: margin })
  }
}

// pathOf returns an edge's path and box: straight through the layers, in curves between them.
function pathOf(points) {
  let path = `M${points[0]} ${points[1]}`
  for (let i = 2; i < points.length; i += 2) {
    const [x0, y0, x, y] = points.slice(i - 2, i + 2)
    const middle = (x0 + x) / 2
    path += y0 === y ? `L${x} ${y}` : `C${middle} ${y0} ${middle} ${y} ${x} ${y}`
  }
  const xs = points.filter((_, i) => i % 2 === 0)
  const ys = points.filter((_, i) => i % 2 === 1)
  const x = Math.min(...xs)
  const y = Math.min(...ys)
  return { path, box: { x, y, width: Math.max(...xs) - x + 1, height: Math.max(...ys) - y + 1 } }
}
