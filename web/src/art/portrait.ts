// A face from a name and a line about somebody: a profile cut from paper, as in old medallions. Words about the person are hints for
// hair, hat and age; whatever they leave open is drawn by the name. Pure data: a list of shapes, each with the part it plays.
import { between, drawsOf, oneOf, type Draw } from '../lib/seed'
import type { Family } from './genre'

export interface Shape {
  part: 'ground' | 'ring' | 'ray' | 'skin' | 'shade' | 'hair' | 'cloth' | 'trim' | 'metal' | 'glow' | 'line'
  d: string
}
export interface Portrait {
  shapes: Shape[]
  /** One of six colours of the medallion. */
  tint: number
  /** Looks to the left. */
  flip: boolean
}

type Hair = 'cropped' | 'long' | 'bun' | 'braid' | 'curls' | 'bald' | 'swept'
type Head = '' | 'hood' | 'brim' | 'cap' | 'helm' | 'veil' | 'circlet' | 'visor' | 'crest' | 'phones' | 'tricorn' | 'mask'

const HEADS: [Head, RegExp][] = [
  ['mask', /superhero|part-time hero|sidekick|villain\b|vigilante|henchman|nemesis|masked/i],
  ['helm', /knight|soldier|guard|warden|armou?r|captain of the watch|mercenar|paladin/i],
  ['veil', /nun|sister|prior|abbess|dame|widow|veil|habit/i],
  ['hood', /hood|cloak|monk|brother|thief|rogue|assassin|hermit|ranger|witch|cult|ghost/i],
  ['circlet', /queen|king|prince|lord|lady|noble|crown|duke|elf/i],
  ['tricorn', /pirate|privateer|captain|admiral/i],
  ['brim', /cowboy|sheriff|detective|inspector|farmer|pilgrim|hat|wizard|journalist/i],
  ['cap', /sailor|deckhand|driver|guide|worker|boy|mechanic|conductor|cap\b|ferry/i],
  ['visor', /hacker|netrunner|runner|visor|android|drone|corp|chrome/i],
  ['phones', /dj|radio|pilot|operator|headphones|courier/i],
]
const USUAL: Partial<Record<Family, Head[]>> = {
  cyber: ['', 'visor', 'crest', 'phones', 'hood', ''],
  space: ['', 'phones', 'helm', 'visor', ''],
  noir: ['', 'brim', 'brim', 'cap', ''],
  west: ['brim', 'brim', '', 'cap'],
  gothic: ['', 'hood', 'veil', 'brim', ''],
  capes: ['', 'mask', '', 'brim', 'cap'],
  spies: ['', 'brim', 'cap', 'brim', ''],
}

export function portrait(name: string, about: string, family: Family): Portrait {
  const draw = drawsOf(`${name}\u0000${family}`)
  // The first words say who somebody is; what follows tells of others too.
  const words = `${name} ${about.split(/[.;!?]|, (?:and|who|but)/, 1)[0]}`
  const old = /\bold\b|aged|elder|seventy|sixty|eighty|grand|ancient|grey|gray|white hair/i.test(words)
  const woman = count(words, /\b(she|her|woman|girl|sister|mother|dame|lady|queen|prioress|widow|daughter)\b/gi)
  const man = count(words, /\b(he|him|his|man|boy|brother|father|sir|lord|king|son|monk)\b/gi)
  const head = HEADS.find(([, hint]) => hint.test(words))?.[0] ?? oneOf(draw, USUAL[family] ?? ['', '', '', 'hood', 'cap', 'circlet'])
  const hair = hairOf(draw, words, woman > man, man > woman)
  const beard = /beard/i.test(words) || (man > woman && draw() < (old ? 0.75 : 0.4) && !['veil', 'visor'].includes(head))
  const shapes: Shape[] = [...ground(draw, family), { part: 'skin', d: face(draw, old) }, ...garment(draw, family)]
  if (beard) shapes.push(beardOf(draw, old))
  if (!['hood', 'veil', 'helm'].includes(head)) shapes.push(...hairShapes(hair, draw))
  shapes.push(...headShapes(head, draw))
  if (/glasses|spectacles|scholar|clerk|archiv/i.test(words) && head !== 'visor') shapes.push({ part: 'line', d: 'M64.5 40a4 4 0 1 0 8 0a4 4 0 1 0 -8 0M64.5 39.500L50 38' })
  return { shapes, tint: Math.floor(draw() * 6), flip: draw() < 0.5 }
}

const count = (text: string, what: RegExp) => text.match(what)?.length ?? 0

function hairOf(draw: Draw, words: string, woman: boolean, man: boolean): Hair {
  if (/bald|shav/i.test(words)) return 'bald'
  if (/braid|plait/i.test(words)) return 'braid'
  if (/curl/i.test(words)) return 'curls'
  if (woman) return oneOf(draw, ['long', 'bun', 'braid', 'curls', 'swept', 'long'])
  if (man) return oneOf(draw, ['cropped', 'swept', 'cropped', 'curls', 'bald', 'cropped'])
  return oneOf(draw, ['cropped', 'long', 'bun', 'braid', 'curls', 'swept', 'bald'])
}

/** The profile, looking right: nape, skull, brow, nose, lips, chin, throat and shoulders. */
function face(draw: Draw, old: boolean): string {
  const n = (middle: number, give: number) => (middle + (draw() - 0.5) * 2 * give).toFixed(1)
  const brow = 70.5 + (draw() - 0.5) * 2.4
  const tip = 77.6 + (draw() - 0.4) * 5
  const tipAt = 50 + (draw() - 0.5) * 3.4 + (old ? 1 : 0)
  const bridge = brow + 0.6 + (draw() - 0.5) * 1.6
  const lip = 74.8 + (draw() - 0.5) * 1.8
  const chin = 73.2 + (draw() - 0.5) * 4
  const jaw = old ? n(73.5, 1.5) : n(71, 1.4)
  return [
    'M10 104C11 88 24 80 36 76C41 74 42.500 69 41 63',
    `C30 57 ${n(27.5, 1.6)} 45 31 35C34 22 48 ${n(15.5, 1.2)} 58 18.500`,
    `C66 20.500 ${(brow - 0.5).toFixed(1)} ${n(28, 1.6)} ${brow.toFixed(1)} 34`,
    `C${(brow + 1.4).toFixed(1)} 36.200 ${(brow + 1.1).toFixed(1)} 37.500 ${bridge.toFixed(1)} 39.500`,
    `C${(bridge + 1.2).toFixed(1)} 43 ${(tip - 1.6).toFixed(1)} 46 ${tip.toFixed(1)} ${tipAt.toFixed(1)}`,
    `C${(tip + 0.5).toFixed(1)} ${(tipAt + 2).toFixed(1)} ${(tip - 1.6).toFixed(1)} 53 73.600 53.200`,
    `C73 54.500 73.800 55.200 ${(lip + 0.8).toFixed(1)} 56.300C${(lip + 0.9).toFixed(1)} 57.500 ${(lip - 0.8).toFixed(1)} 58 73.900 58.300`,
    `C${(lip + 0.6).toFixed(1)} 58.900 ${(lip + 0.5).toFixed(1)} 60.600 73.700 61.400C72.600 62.400 73 63.600 ${chin.toFixed(1)} 65`,
    `C${(chin + 0.9).toFixed(1)} 69 ${(chin - 3).toFixed(1)} ${jaw} 66.500 71.300C62 71 58.500 70 57 72`,
    'C55.500 76 57 79.500 62 81.500C76 86 88 91 90 104Z',
  ].join('')
}

function ground(draw: Draw, family: Family): Shape[] {
  const shapes: Shape[] = [{ part: 'ground', d: 'M0 0H100V100H0Z' }]
  const rays: string[] = []
  if (family === 'cyber' || family === 'space') {
    for (let at = 0; at < 9; at++) rays.push(`M${between(draw, 2, 98).toFixed(1)} ${(8 + at * 10).toFixed(1)}h${between(draw, 5, 26).toFixed(1)}`)
  } else if (family === 'noir' || family === 'west') {
    for (let at = 0; at < 8; at++) rays.push(`M0 ${(6 + at * 12).toFixed(1)}H100`)
  } else {
    for (let at = 0; at < 22; at++) {
      const angle = (at / 22) * 2 * Math.PI + 0.05
      const far = at % 2 ? 46 : 42
      rays.push(`M${(50 + 34 * Math.cos(angle)).toFixed(1)} ${(46 + 34 * Math.sin(angle)).toFixed(1)}L${(50 + far * Math.cos(angle)).toFixed(1)} ${(46 + far * Math.sin(angle)).toFixed(1)}`)
    }
    shapes.push({ part: 'ring', d: 'M50 12a34 34 0 1 1 0 68a34 34 0 1 1 0-68z' })
  }
  shapes.push({ part: 'ray', d: rays.join('') })
  return shapes
}

function garment(draw: Draw, family: Family): Shape[] {
  const shoulders: Shape = { part: 'cloth', d: 'M10 104C11 90 22 83 35 78.500C41 84 52 86 61 82.500C75 87 88 92 90 104Z' }
  const collars = ['M35 78C40 84.500 53 87 61.500 82L64 86C54 92.500 39 90 32 80.500Z', 'M37 74.500C42 80.500 52 82.500 59 79L63 85C52 90 38 88 33 79.500Z', 'M35 78C44 86 54 87 61 82L53 104H44Z']
  const trim: Shape = { part: 'trim', d: oneOf(draw, collars) }
  const seam: Shape = { part: 'line', d: family === 'cyber' || family === 'space' ? 'M26 88L30 104M74 90L70 104' : 'M24 90C30 94 36 98 38 104M78 92C72 96 68 99 67 104' }
  return [shoulders, trim, seam]
}

function beardOf(draw: Draw, old: boolean): Shape {
  const down = (old ? 84 : 77) + between(draw, -2, 5)
  return { part: 'hair', d: `M52 50C55 55 58 59.500 63 60C67 57.500 71 57 74.800 58.800C74.600 60 73.600 61 72.500 61.300C76 66 76 ${(down - 6).toFixed(1)} 66 ${down.toFixed(1)}C57 ${(down - 5).toFixed(1)} 51 64 49.500 52Z` }
}

const CAP = 'M71 31.500C67 19 52 12 39 19C28 26 25 42 30 55C33 60 37 62.500 41.500 64C43 58 42 53 46 48C48 43.500 50 41.500 53 41C55 35 64 36 71 31.500Z'

function hairShapes(hair: Hair, draw: Draw): Shape[] {
  const ear: Shape = { part: 'shade', d: 'M48.500 46.500C51 43 54.500 45 53.500 49C52.800 52 50.500 54 49.500 53C50 51 48 49 48.500 46.500Z' }
  if (hair === 'bald') return [ear]
  if (hair === 'cropped') return [{ part: 'hair', d: CAP }, ear]
  if (hair === 'swept') return [{ part: 'hair', d: 'M73 29C72 15 52 8 38 16.500C25 24 22 42 28 57C31 62 36 65 42 65C43 58 42 53 46.500 47C52 38 66 40 73 29Z' }, ear]
  if (hair === 'long') return [{ part: 'hair', d: 'M71.500 30.500C67 15 48 10 35 18.500C22 28 22 52 24 70C25 82 20 90 15 95C26 100 40 97 45 90C48 80 44 68 47 58C46 50 49 44 54 41C58 35.500 65 36 71.500 30.500Z' }]
  if (hair === 'bun') return [{ part: 'hair', d: CAP }, { part: 'hair', d: 'M27 28a10 10 0 1 0 1 16a12 12 0 0 1 -1 -16z' }, ear]
  if (hair === 'braid') {
    const beads = [0, 1, 2, 3, 4].map((at) => `M${(36 - at * 2.6).toFixed(1)} ${(59 + at * 8.2).toFixed(1)}a5.600 5.200 0 1 0 .1 0z`)
    return [{ part: 'hair', d: CAP }, { part: 'hair', d: beads.join('') }, ear]
  }
  const bumps: string[] = []
  for (let at = 0; at < 11; at++) {
    const angle = -0.35 - (at / 10) * 3.7
    const r = between(draw, 6, 8.5)
    bumps.push(`M${(49 + 20 * Math.cos(angle) + r).toFixed(1)} ${(37 + 20 * Math.sin(angle)).toFixed(1)}a${r.toFixed(1)} ${r.toFixed(1)} 0 1 0 .1 .1z`)
  }
  return [{ part: 'hair', d: CAP }, { part: 'hair', d: bumps.join('') }]
}

function headShapes(head: Head, draw: Draw): Shape[] {
  switch (head) {
    case 'hood':
      return [{ part: 'cloth', d: 'M79 31C71 8 42 3 27 21C15 37 18 64 4 104H60C50 92 47 78 51 66C45 56 48 44 58 40C66 37 74 35 79 31Z' }, { part: 'line', d: 'M79 31C70 37 58 37 52 47C48 55 49 62 52 67' }]
    case 'veil':
      return [{ part: 'trim', d: 'M72 30C66 17 48 12 36 21C27 31 29 52 40 66C48 76 55 78 60 74C52 66 49 52 55 43C59 37 67 36 72 30Z' }, { part: 'cloth', d: 'M70 25C62 10 40 9 30 23C20 38 26 70 6 104H46C50 88 40 72 40 58C38 42 50 30 70 25Z' }]
    case 'helm':
      return [{ part: 'metal', d: 'M74 39C76 24 66 11 50 11C34 11 26 25 27 42C28 56 34 64 42 68L50 62L51 50C56 44 64 46 72 43Z' }, { part: 'trim', d: 'M52 11C44 2 28 6 22 20C30 14 38 13 46 15Z' }, { part: 'line', d: 'M74 39C62 39 50 41 40 47M50 11C56 18 58 28 57 40' }]
    case 'brim':
      return [{ part: 'cloth', d: 'M36 25C37 8 45 4 55 5C66 5 71 12 71.500 24Z' }, { part: 'trim', d: 'M36 24.500C46 21.500 62 21 71.500 23.500L71.800 28C60 25.500 46 26 36 29Z' }, { part: 'cloth', d: 'M14 33C28 25 44 25.500 60 26C76 26.500 88 27 93 31C84 34 70 31.500 56 31.500C40 32 26 36 14 33Z' }]
    case 'tricorn':
      return [{ part: 'cloth', d: 'M20 32C30 12 44 8 54 12C64 4 78 14 88 27C76 25 66 28 56 27C44 26 32 32 20 32Z' }, { part: 'line', d: 'M20 32C32 30 44 24 56 25C68 26 78 24 88 27' }]
    case 'cap':
      return [{ part: 'cloth', d: 'M29 33C26 17 44 8 61 13C69 16 72 22 72.500 28C58 25 42 27 29 33Z' }, { part: 'trim', d: 'M70 25C77 26 83 29 85 32.500C78 33 72 31.500 67 30Z' }]
    case 'circlet':
      return [{ part: 'metal', d: 'M30 35C42 29 58 27 71 30L71.800 33.500C58 31 44 33 31 39Z' }, { part: 'glow', d: `M${(66 + draw()).toFixed(1)} 25.500l3 4.200l-3 4.200l-3 -4.200z` }]
    case 'visor':
      return [{ part: 'metal', d: 'M40 38L58 35.500L77 36.500L77.500 43L60 44.500L42 43.500Z' }, { part: 'glow', d: 'M60 37.500L77 38L77.300 41.300L61 42.500Z' }]
    case 'mask':
      return [{ part: 'glow', d: 'M40 40C48 35.500 56 34.500 62 35.500C67 34.500 72 35 75.500 37.500C75 42 72.500 44.500 69 44C66 43.500 64 42 60 43C52 44.500 46 42.500 40 44.500Z' }, { part: 'skin', d: 'M64.5 39.200C66 37.600 69 37.600 70.500 39.200C69 40.800 66 40.800 64.500 39.200Z' }, { part: 'line', d: 'M40 42L33 47M40 42L34 41' }]
    case 'crest':
      return [{ part: 'glow', d: 'M71 27L75 15L64 17L64 6L53 12L48 3L42 14L32 10L32 21L22 22L29 31C40 18 58 17 71 27Z' }]
    case 'phones':
      return [{ part: 'line', d: 'M50 48C40 34 42 16 54 15' }, { part: 'metal', d: 'M45 42h9a4 4 0 0 1 4 4v6a4 4 0 0 1 -4 4h-9a3 3 0 0 1 -3 -3v-8a3 3 0 0 1 3 -3z' }, { part: 'glow', d: 'M51 47a2.500 2.500 0 1 0 .1 0z' }]
    default:
      return []
  }
}
