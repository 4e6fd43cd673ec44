// Strokes as a hand with a pen makes them, from a seed; and a small drawing for each kind of place.
import { between, drawsOf, type Draw } from '../lib/seed'
import type { Spot } from './types'

const at = (x: number, y: number) => `${x.toFixed(1)} ${y.toFixed(1)}`

/** A road: a smooth line through the points, never quite straight, that stops short of both ends. */
export function road(points: Spot[], seed: string, short = 30): string {
  const draw = drawsOf(seed)
  const line = shortened(points, short)
  let d = `M${at(line[0].x, line[0].y)}`
  for (let i = 1; i < line.length; i++) {
    const [a, b] = [line[i - 1], line[i]]
    const far = Math.hypot(b.x - a.x, b.y - a.y)
    const side = { x: -(b.y - a.y) / (far || 1), y: (b.x - a.x) / (far || 1) }
    const sway = Math.min(16, far * 0.13)
    const [one, two] = [between(draw, -sway, sway), between(draw, -sway, sway)]
    d += `C${at(a.x + (b.x - a.x) * 0.33 + side.x * one, a.y + (b.y - a.y) * 0.33 + side.y * one)} ${at(a.x + (b.x - a.x) * 0.67 + side.x * two, a.y + (b.y - a.y) * 0.67 + side.y * two)} ${at(b.x, b.y)}`
  }
  return d
}

/** The place on a road where its sign stands. */
export function middle(points: Spot[]): Spot {
  const half = points.slice(1).reduce((sum, point, i) => sum + Math.hypot(point.x - points[i].x, point.y - points[i].y), 0) / 2
  let gone = 0
  for (let i = 1; i < points.length; i++) {
    const [a, b] = [points[i - 1], points[i]]
    const far = Math.hypot(b.x - a.x, b.y - a.y)
    if (gone + far >= half) {
      const part = far ? (half - gone) / far : 0
      return { x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part }
    }
    gone += far
  }
  return points[0]
}

function shortened(points: Spot[], by: number): Spot[] {
  const cut = (end: Spot, next: Spot): Spot => {
    const far = Math.hypot(next.x - end.x, next.y - end.y)
    const part = far > by * 2.2 ? by / far : 0.3
    return { x: end.x + (next.x - end.x) * part, y: end.y + (next.y - end.y) * part }
  }
  const last = points.length - 1
  return [cut(points[0], points[1]), ...points.slice(1, last), cut(points[last], points[last - 1])]
}

const GLYPHS: [RegExp, (draw: Draw) => string][] = [
  [/tower|spire|lighthouse|keep/i, () => 'M-8 14L-6 -12H6L8 14ZM-9 -12L-9 -18H-5V-15H-2V-18H2V-15H5V-18H9V-12ZM-2 14V7a2 2 0 0 1 4 0V14M3 -6V-1'],
  [/chapel|church|abbey|temple|shrine|cathedral/i, () => 'M-16 14V0L-4 -8L8 0V14ZM8 14V-6L13 -20L18 -6V14M13 -20V-26M10.500 -23.500H15.500M-6 14V8a2 2 0 0 1 4 0V14'],
  [/cloister|court|garden|yard|square|plaza/i, () => 'M-16 12V-4H16V12ZM-16 -4L-12 -10H20L16 -4M-10 12V4a3 3 0 0 1 6 0V12M-2 12V4a3 3 0 0 1 6 0V12M6 12V4a3 3 0 0 1 6 0V12'],
  [/gate|door|wall|bridge|checkpoint|barrier/i, () => 'M-18 14V-8H-8V14M8 14V-8H18V14M-8 0Q0 -10 8 0M-18 -8V-13H-15V-10H-11V-13H-8V-8M8 -8V-13H11V-10H15V-13H18V-8M-4 14V4M0 14V2M4 14V4'],
  [/cave|crypt|undercroft|cellar|tunnel|mine|sewer|vault|basement/i, () => 'M-18 14C-16 -8 -6 -14 2 -13C12 -12 17 0 18 14ZM-8 14C-8 0 -3 -5 1 -5C6 -5 9 2 9 14'],
  [/harbou?r|dock|pier|quay|\bhard\b|port|ship|boat/i, () => 'M0 -16V12M-7 -8H7M-14 2C-12 10 -6 13 0 13C6 13 12 10 14 2M-14 2L-16 7M14 2L16 7M0 -16a3 3 0 1 0 .1 -6a3 3 0 1 0 -.1 6'],
  [/sea|water|river|lake|shore|beach|strand|causeway|marsh|swamp/i, () => 'M-20 4q5 -6 10 0t10 0t10 0t10 0M-16 11q5 -6 10 0t10 0t10 0M-10 -4h20M-8 -9l3 5M0 -10v6M8 -9l-3 5'],
  [/forest|wood|grove|tree/i, () => 'M-12 12V6M-18 6L-12 -10L-6 6ZM2 12V4M-5 4L2 -16L9 4ZM14 12V7M9 7L14 -6L19 7Z'],
  [/mountain|peak|hill|cliff|pass/i, () => 'M-20 12L-6 -14L2 0L8 -8L20 12ZM-6 -14L-3 -4L-8 -2L-4 6M8 -8L10 -2L7 0'],
  [/club|bar|inn|tavern|pub|dragon|saloon/i, () => 'M-14 14V-4L0 -14L14 -4V14ZM-4 14V6H4V14M-16 -2H-22V6H-16M-10 2H-7M7 2H10M14 -6L20 -8V2'],
  [/city|street|alley|district|tower block|apartment|office|corp|plaza|market|station/i, () => 'M-18 14V-6H-8V14M-8 14V-16H4V14M4 14V-2H16V14M-15 -1H-12M-15 5H-12M-5 -11H-3M0 -11H2M-5 -5H-3M0 -5H2M-5 1H-3M0 1H2M8 4H12'],
  [/library|scriptorium|study|archive|school/i, () => 'M-16 12V-8Q-8 -13 0 -8Q8 -13 16 -8V12Q8 7 0 12Q-8 7 -16 12ZM0 -8V12M-12 -4Q-8 -6 -4 -4M-12 1Q-8 -1 -4 1M4 -4Q8 -6 12 -4M4 1Q8 -1 12 1'],
  [/infirmary|hospital|clinic|surgery/i, () => 'M-15 14V-4L0 -12L15 -4V14ZM-2 -3H2V2H7V6H2V11H-2V6H-7V2H-2Z'],
]

/** A house or two, where the name tells of nothing else. */
function houses(draw: Draw): string {
  const lean = between(draw, -1.5, 1.5)
  const two = draw() < 0.6 ? `M6 14V3L${(12 + lean).toFixed(1)} -4L18 3V14Z` : ''
  return `M-14 14V-1L${(-4 + lean).toFixed(1)} -11L6 -1V14ZM-7 14V6H-2V14${two}`
}

export function glyph(name: string): string {
  const draw = drawsOf(name)
  return (GLYPHS.find(([words]) => words.test(name))?.[1] ?? houses)(draw)
}

/** Short strokes under a place, as engravers shade the ground. */
export function ground(seed: string): string {
  const draw = drawsOf(`ground\u0000${seed}`)
  return Array.from({ length: 6 }, (_, i) => `M${at(-22 + i * 7 + between(draw, -2, 2), 17 + between(draw, 0, 3))}h${between(draw, 4, 10).toFixed(1)}`).join('')
}

/** The rim of the sheet: a line drawn twice by hand. */
export function rim(width: number, height: number): string {
  const draw = drawsOf(`rim${Math.round(width)}`)
  const side = (x1: number, y1: number, x2: number, y2: number) => {
    const sway = between(draw, -3, 3)
    return `Q${at((x1 + x2) / 2 + (y1 === y2 ? 0 : sway), (y1 + y2) / 2 + (y1 === y2 ? sway : 0))} ${at(x2, y2)}`
  }
  const box = (m: number) => `M${at(m, m)}${side(m, m, width - m, m)}${side(width - m, m, width - m, height - m)}${side(width - m, height - m, m, height - m)}${side(m, height - m, m, m)}Z`
  return box(10) + box(15)
}
