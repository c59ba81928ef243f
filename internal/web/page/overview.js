// The whole graph, small, with what of it is in the window: to see where one is in a large plan, and to go elsewhere with the mouse.

import { el, replace, svg } from './dom.js'

const most = 240 // pixels of its longer side
const least = 40 // of its shorter side: a graph that is very high or wide is drawn wider or higher

export class Overview {
  // go is called with a point of the graph that is to be in the middle of the window.
  constructor(go) {
    this.picture = svg('svg', { preserveAspectRatio: 'none' })
    this.frame = el('div', { class: 'overview-frame' })
    this.wanted = true
    this.element = el('div', { class: 'overview', 'aria-hidden': 'true', hidden: true }, this.picture, this.frame)
    const move = (event) => {
      const box = this.picture.getBoundingClientRect()
      go((event.clientX - box.left) / box.width * this.width, (event.clientY - box.top) / box.height * this.height)
    }
    this.element.addEventListener('pointerdown', (event) => {
      this.element.setPointerCapture(event.pointerId)
      move(event)
    })
    this.element.addEventListener('pointermove', (event) => { if (this.element.hasPointerCapture(event.pointerId)) move(event) })
  }

  // set draws a graph: a path for each status.
  set({ nodes, width, height }) {
    Object.assign(this, { width: Math.max(1, width), height: Math.max(1, height) })
    const paths = new Map()
    for (const node of nodes) paths.set(node.status, `${paths.get(node.status) ?? ''}M${node.x} ${node.y}h${node.width}v${node.height}h${-node.width}z`)
    this.picture.setAttribute('viewBox', `0 0 ${this.width} ${this.height}`)
    replace(this.picture, [...paths].map(([status, d]) => svg('path', { class: `box ${status}`, d })))
  }

  // size returns the width and height that it has in a window; none in one that it would fill, and where the user does not want it.
  size(width, height) {
    if (!this.wanted || width < 300 || height < 280) return undefined
    const scale = Math.min(most / this.width, Math.min(most, height * 0.45) / this.height)
    return [Math.max(least, this.width * scale), Math.max(least, this.height * scale)]
  }

  // show frames what is in the window. There is no overview of what is all there.
  show(view, width, height, whole) {
    const size = this.size(width, height)
    this.element.hidden = whole || !size
    if (this.element.hidden) return
    Object.assign(this.element.style, { width: `${size[0]}px`, height: `${size[1]}px` })
    const part = (at, whole) => `${100 * Math.min(1, Math.max(0, at / whole))}%`
    Object.assign(this.frame.style, {
      left: part(-view.x / view.scale, this.width), top: part(-view.y / view.scale, this.height),
      right: part(this.width - (width - view.x) / view.scale, this.width), bottom: part(this.height - (height - view.y) / view.scale, this.height),
    })
  }
}
