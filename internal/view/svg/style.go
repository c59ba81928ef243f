package svg

import "strings"

// Stylesheet returns the rules for pictures in a page. They are for light and for dark, whichever the reader's system prefers.
func Stylesheet() string {
	return strings.TrimSpace(light) + "\n@media (prefers-color-scheme: dark) {\n" + strings.TrimSpace(dark) + "\n}\n"
}

const light = `
.ralph-view { font: 12px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; color-scheme: light dark }
.ralph-view text { fill: #1f2328; unicode-bidi: isolate }
.ralph-view .page { fill: #ffffff }
.ralph-view .heading { font-size: 15px; font-weight: 600 }
.ralph-view .faint { fill: #59636e }
.ralph-view .end { text-anchor: end }
.ralph-view .middle { text-anchor: middle }
.ralph-view .strong { font-weight: 600 }
.ralph-view .id { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 11px }
.ralph-view .box { fill: #f6f8fa; stroke: #d1d9e0; stroke-width: 1 }
.ralph-view .icon { stroke-width: 2; stroke-linecap: round; stroke-linejoin: round }
.ralph-view .edge { fill: none; stroke: #b7bfc8; stroke-width: 1.2 }
.ralph-view .edge.open { stroke: #6e7781; stroke-width: 1.6 }
.ralph-view .arrow { fill: #b7bfc8 }
.ralph-view .arrow.open { fill: #6e7781 }
.ralph-view .grid { stroke: #d1d9e0; stroke-width: 1 }
.ralph-view .area { fill-opacity: .22 }
.ralph-view .area.bars { fill-opacity: .7 }
.ralph-view .line { stroke-width: 2; stroke-linejoin: round }
.ralph-view .dashed { stroke-dasharray: 6 4 }
.ralph-view .ready { fill: #0969da; stroke: #0969da }
.ralph-view .blocked { fill: #9a6700; stroke: #9a6700 }
.ralph-view .claimed { fill: #8250df; stroke: #8250df }
.ralph-view .done { fill: #1a7f37; stroke: #1a7f37 }
.ralph-view .landed { fill: #0e7490; stroke: #0e7490 }
.ralph-view .accepted { fill: #59636e; stroke: #59636e }
.ralph-view .bad { fill: #cf222e; stroke: #cf222e }
.ralph-view .icon, .ralph-view .line { fill: none }
.ralph-view .area { stroke: none }
.ralph-view text.status { stroke: none; font-weight: 600; font-size: 11px }
`

const dark = `
.ralph-view text { fill: #e6edf3 }
.ralph-view .page { fill: #0d1117 }
.ralph-view .faint { fill: #9198a1 }
.ralph-view .box { fill: #151b23; stroke: #3d444d }
.ralph-view .edge { stroke: #4a525c }
.ralph-view .edge.open { stroke: #9198a1 }
.ralph-view .arrow { fill: #4a525c }
.ralph-view .arrow.open { fill: #9198a1 }
.ralph-view .grid { stroke: #3d444d }
.ralph-view .ready { fill: #4493f8; stroke: #4493f8 }
.ralph-view .blocked { fill: #d29922; stroke: #d29922 }
.ralph-view .claimed { fill: #ab7df8; stroke: #ab7df8 }
.ralph-view .done { fill: #3fb950; stroke: #3fb950 }
.ralph-view .landed { fill: #22b8cf; stroke: #22b8cf }
.ralph-view .accepted { fill: #9198a1; stroke: #9198a1 }
.ralph-view .bad { fill: #f85149; stroke: #f85149 }
.ralph-view .icon, .ralph-view .line { fill: none }
.ralph-view .area { stroke: none }
`
