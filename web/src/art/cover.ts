// A cover from a story's name, genre and what it says of itself: sky, light, far and near land, and somebody on the way. Pure data.
import { between, drawsOf, type Draw } from '../lib/seed'
import type { Family } from './genre'

export interface Layer {
  part: 'far' | 'mid' | 'near' | 'sea' | 'light' | 'halo' | 'spark' | 'window' | 'hatch' | 'foam' | 'lamp'
  d: string
}
type Scene = 'sea' | 'city' | 'forest' | 'mountain' | 'desert' | 'stars' | 'hills' | 'house'

const SCENES: [Scene, RegExp][] = [
  ['stars', /\b(starship|spaceship|space|orbit|planet|moon base)\b/i],
  ['sea', /\b(sea|tide|island|ship|harbou?r|causeway|coast|river|lake|lighthouse|drowned|bridge)\b/i],
  ['city', /\b(city|street|tower block|neon|district|seattle|downtown|club|skyline|rooftop)\b/i],
  ['forest', /\b(forest|wood|tree|grove|swamp|wild|jungle)\b/i],
  ['mountain', /\b(mountain|peak|pass|snow|ice|mine|dwar|cliff)\b/i],
  ['desert', /\b(desert|dune|sand|canyon|mesa|valley|rail|frontier)\b/i],
  ['house', /\b(house|manor|hotel|castle|abbey|village|inn|guest|cellar)\b/i],
]
const USUAL: Record<Family, Scene> = { fantasy: 'hills', gothic: 'house', cyber: 'city', space: 'stars', noir: 'city', west: 'desert', wild: 'forest', myth: 'mountain', capes: 'city', bygone: 'sea', spies: 'forest', cosy: 'house' }
// Tower blocks and starships stand only where they may: no skyline over a western town.
const ONLY: Partial<Record<Scene, Family[]>> = { city: ['cyber', 'space', 'noir', 'capes', 'spies'], stars: ['space', 'cyber'] }
const W = 300
const H = 400

export function sceneOf(words: string, family: Family): Scene {
  const fits = (scene: Scene) => ONLY[scene]?.includes(family) ?? true
  return SCENES.find(([scene, hint]) => fits(scene) && hint.test(words))?.[0] ?? USUAL[family]
}

export function cover(name: string, about: string, family: Family, seed = ''): Layer[] {
  const draw = drawsOf(`cover\u0000${seed || name}\u0000${family}`)
  const scene = sceneOf(`${name} ${about}`, family)
  const layers = sky(draw, family, scene)
  switch (scene) {
    case 'sea':
      layers.push(ridge(draw, 'far', 248, 18), building(draw, family), ...water(draw))
      break
    case 'city':
      layers.push(...skyline(draw, 'far', 215, 95), ...skyline(draw, 'mid', 265, 80), ...street(draw, family))
      break
    case 'forest':
      layers.push(trees(draw, 'far', 262, 26, 70), trees(draw, 'mid', 300, 17, 110), ...path(draw))
      break
    case 'desert':
      layers.push(mesas(draw, 'far', 250), mesas(draw, 'mid', 285), ...path(draw))
      break
    case 'stars':
      layers.push(...planet(draw), ridge(draw, 'mid', 330, 22), ridge(draw, 'near', 358, 16))
      break
    case 'mountain':
      layers.push(peaks(draw, 'far', 240, 110), peaks(draw, 'mid', 285, 90), ...path(draw))
      break
    default:
      layers.push(ridge(draw, 'far', 245, 30), ridge(draw, 'mid', 280, 26), building(draw, family, 268), ...path(draw))
  }
  if (scene !== 'stars') layers.push(...walker(draw, scene === 'sea' ? 356 : 352))
  return layers
}

const at = (x: number, y: number) => `${x.toFixed(1)} ${y.toFixed(1)}`

function sky(draw: Draw, family: Family, scene: Scene): Layer[] {
  const x = between(draw, 80, 220)
  const y = between(draw, 80, 130)
  const r = family === 'space' ? 0 : between(draw, 26, 40)
  const layers: Layer[] = []
  const night = !['fantasy', 'west', 'myth', 'wild', 'capes', 'bygone', 'cosy'].includes(family) || scene === 'stars' || draw() < 0.35
  if (night) {
    const stars = Array.from({ length: scene === 'stars' ? 70 : 26 }, () => {
      const size = between(draw, 0.5, scene === 'stars' ? 1.9 : 1.3)
      return `M${at(between(draw, 4, W - 4), between(draw, 4, 230))}a${size.toFixed(1)} ${size.toFixed(1)} 0 1 0 .1 0z`
    })
    layers.push({ part: 'spark', d: stars.join('') })
  }
  if (r) {
    layers.push({ part: 'halo', d: `M${at(x, y - r * 1.7)}a${(r * 1.7).toFixed(1)} ${(r * 1.7).toFixed(1)} 0 1 0 .1 0z` })
    layers.push({ part: 'light', d: `M${at(x, y - r)}a${r.toFixed(1)} ${r.toFixed(1)} 0 1 0 .1 0z` })
  }
  const strokes = Array.from({ length: 7 }, (_, line) => {
    const from = between(draw, -20, 190)
    return `M${at(from, 34 + line * 24 + between(draw, -6, 6))}q${at(between(draw, 18, 36), between(draw, -5, 5))} ${at(between(draw, 50, 110), between(draw, -3, 3))}`
  })
  layers.push({ part: 'hatch', d: strokes.join('') })
  return layers
}

/** Land by halving: a rough edge whose roughness halves with each step. */
function edge(draw: Draw, base: number, rough: number): [number, number][] {
  let line: [number, number][] = [[-4, base + between(draw, -rough, rough)], [W + 4, base + between(draw, -rough, rough)]]
  for (let step = rough; step > 2.4; step *= 0.56) {
    const finer: [number, number][] = [line[0]]
    for (let i = 1; i < line.length; i++) {
      const [a, b] = [line[i - 1], line[i]]
      finer.push([(a[0] + b[0]) / 2, (a[1] + b[1]) / 2 + between(draw, -step, step)], b)
    }
    line = finer
  }
  return line
}

const filled = (line: [number, number][]) => `M-4 ${H + 4}L${line.map(([x, y]) => at(x, y)).join('L')}L${W + 4} ${H + 4}Z`

const ridge = (draw: Draw, part: Layer['part'], base: number, rough: number): Layer => ({ part, d: filled(edge(draw, base, rough)) })

function peaks(draw: Draw, part: Layer['part'], base: number, tall: number): Layer {
  const line: [number, number][] = [[-4, base]]
  for (let x = between(draw, -10, 20); x < W; x += between(draw, 46, 84)) line.push([x + between(draw, 16, 34), base - between(draw, tall * 0.5, tall)], [x + between(draw, 48, 66), base - between(draw, 0, tall * 0.25)])
  line.push([W + 4, base])
  return { part, d: filled(line.sort((a, b) => a[0] - b[0])) }
}

function mesas(draw: Draw, part: Layer['part'], base: number): Layer {
  const line: [number, number][] = [[-4, base]]
  for (let x = between(draw, 0, 30); x < W - 40; ) {
    const wide = between(draw, 34, 74)
    const tall = between(draw, 22, 74)
    line.push([x, base], [x + 6, base - tall], [x + wide - 6, base - tall + between(draw, -3, 3)], [x + wide, base])
    x += wide + between(draw, 18, 60)
  }
  line.push([W + 4, base])
  return { part, d: filled(line) }
}

function trees(draw: Draw, part: Layer['part'], base: number, many: number, tall: number): Layer {
  let d = filled(edge(draw, base + 14, 8))
  for (let i = 0; i < many; i++) {
    const x = (i / many) * W + between(draw, -8, 8)
    const top = base - between(draw, tall * 0.55, tall)
    const wide = between(draw, 9, 17)
    d += `M${at(x, top)}L${at(x + wide * 0.55, top + tall * 0.33)}L${at(x + wide * 0.3, top + tall * 0.33)}L${at(x + wide * 0.85, top + tall * 0.66)}L${at(x + wide * 0.4, top + tall * 0.66)}L${at(x + wide, base + 22)}H${(x - wide).toFixed(1)}L${at(x - wide * 0.4, top + tall * 0.66)}L${at(x - wide * 0.85, top + tall * 0.66)}L${at(x - wide * 0.3, top + tall * 0.33)}L${at(x - wide * 0.55, top + tall * 0.33)}Z`
  }
  return { part, d }
}

function skyline(draw: Draw, part: 'far' | 'mid', base: number, tall: number): Layer[] {
  let d = `M-4 ${H + 4}V${base}`
  let windows = ''
  let masts = ''
  for (let x = -4; x < W; ) {
    const wide = between(draw, 16, 40)
    const top = base - between(draw, 8, tall) * (draw() < 0.2 ? 1.5 : 1)
    d += `L${at(x, top)}H${(x + wide).toFixed(1)}`
    if (draw() < 0.3) masts += `M${at(x + wide / 2, top + 2)}v-${between(draw, 10, 28).toFixed(1)}h1.500V${(top + 2).toFixed(1)}z`
    d += `V${base}`
    if (part === 'mid') for (let row = top + 7; row < base + 60; row += 9) for (let col = x + 4; col < x + wide - 4; col += 6.5) if (draw() < 0.36) windows += `M${at(col, row)}h3.200v4h-3.200z`
    x += wide + between(draw, 0, 3)
  }
  d += `V${H + 4}Z${masts}`
  return windows ? [{ part, d }, { part: 'window', d: windows }] : [{ part, d }]
}

function street(draw: Draw, family: Family): Layer[] {
  const line = Array.from({ length: 6 }, (_, i) => `M${at(150 - 18 * (i + 1) * (i + 1) * 0.4 - 8, 346 + i * 10)}H${(150 + 18 * (i + 1) * (i + 1) * 0.4 + 8).toFixed(1)}`)
  const near: Layer = { part: 'near', d: `M-4 340H${W + 4}V${H + 4}H-4Z` }
  const rain = Array.from({ length: 26 }, () => `M${at(between(draw, 0, W), between(draw, 20, 330))}l-3 ${between(draw, 8, 18).toFixed(1)}`)
  return family === 'noir' || family === 'cyber' ? [near, { part: 'foam', d: line.join('') }, { part: 'hatch', d: rain.join('') }] : [near]
}

function building(draw: Draw, family: Family, base = 250): Layer {
  const x = between(draw, 60, 190)
  const spire = between(draw, 70, 110)
  const gabled = `M${at(x, base + 16)}v-46l16 -16l16 16v-8h40v54z`
  const tower = `M${at(x + 52, base + 16)}v-${spire.toFixed(1)}l11 -24l11 24v${spire.toFixed(1)}z`
  const small = `M${at(x - 26, base + 18)}v-26l13 -11l13 11v26z`
  return { part: 'mid', d: family === 'gothic' ? gabled + tower + small + `M${at(x + 14, base - 40)}v-30l7 -14l7 14v30z` : gabled + tower + small }
}

function water(draw: Draw): Layer[] {
  const wave = (y: number, high: number) => {
    let d = `M-10 ${y}`
    for (let x = -10; x < W + 10; x += 20) d += `q5 ${(-high).toFixed(1)} 10 0t10 0`
    return d
  }
  const layers: Layer[] = [{ part: 'sea', d: `${wave(262, 2)}V${H + 4}H-10Z` }]
  const lines = Array.from({ length: 8 }, (_, i) => `M${at(between(draw, 0, 120), 276 + i * 11)}q12 -4 24 0t24 0t24 0${draw() < 0.6 ? 't24 0t24 0' : ''}`)
  layers.push({ part: 'foam', d: lines.join('') })
  layers.push({ part: 'near', d: `M-4 ${H + 4}V372C40 360 90 366 132 358C190 348 230 362 ${W + 4} 352V${H + 4}Z` })
  return layers
}

function path(draw: Draw): Layer[] {
  const bend = between(draw, -36, 36)
  return [{ part: 'near', d: filled(edge(draw, 342, 12)) }, { part: 'foam', d: `M150 352q${bend.toFixed(1)} 14 -6 26t-14 26M164 352q${bend.toFixed(1)} 16 10 28t16 24` }]
}

function planet(draw: Draw): Layer[] {
  const [x, y, r] = [between(draw, 90, 210), between(draw, 130, 190), between(draw, 58, 84)]
  return [
    { part: 'halo', d: `M${at(x, y - r * 1.15)}a${(r * 1.15).toFixed(1)} ${(r * 1.15).toFixed(1)} 0 1 0 .1 0z` },
    { part: 'light', d: `M${at(x, y - r)}a${r.toFixed(1)} ${r.toFixed(1)} 0 1 0 .1 0z` },
    { part: 'far', d: `M${at(x - r * 0.2, y - r)}a${r.toFixed(1)} ${r.toFixed(1)} 0 1 1 0 ${(2 * r).toFixed(1)}a${(r * 1.25).toFixed(1)} ${(r * 1.25).toFixed(1)} 0 0 0 0 -${(2 * r).toFixed(1)}z` },
    { part: 'foam', d: `M${at(x - r * 1.7, y + 16)}c${(r * 0.7).toFixed(1)} 26 ${(r * 2.6).toFixed(1)} 6 ${(r * 3.4).toFixed(1)} -34` },
  ]
}

/** Somebody small, with a light: every story begins with one. */
function walker(draw: Draw, y: number): Layer[] {
  const x = between(draw, 120, 180)
  return [
    { part: 'halo', d: `M${at(x + 12, y - 24)}a13 13 0 1 0 .1 0z` },
    { part: 'near', d: `M${at(x, y - 30)}a4.300 4.300 0 1 1 -.1 0zM${at(x - 7, y + 6)}c-1 -16 1 -26 7 -27c6 1 8 11 7 27z` },
    { part: 'lamp', d: `M${at(x + 12, y - 14)}a3 3 0 1 0 .1 0z` },
  ]
}
