// Texts of pictures, which do not cut themselves: cut to a room, by the widths that they have here.

const fonts = { name: '12px system-ui, "Segoe UI", "Noto Sans", sans-serif', id: '11px ui-monospace, "DejaVu Sans Mono", monospace' } // as in style.css
const context = document.createElement('canvas').getContext('2d')
const segmenter = new Intl.Segmenter()

// cut returns a text, or as much of its beginning as a number of pixels has room for.
export function cut(text, room, font) {
  context.font = fonts[font]
  const wide = (some) => context.measureText(some).width
  if (wide(text) <= room) return text
  const characters = [...segmenter.segment(text)].map(({ segment }) => segment)
  const first = (n) => `${characters.slice(0, n).join('').trimEnd()}…`
  let fits = 0
  for (let beyond = characters.length; beyond - fits > 1;) {
    const middle = Math.floor((fits + beyond) / 2)
    if (wide(first(middle)) <= room) fits = middle
    else beyond = middle
  }
  return first(fits)
}
