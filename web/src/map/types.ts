// The map as the server tells it, and as it is laid out.
export interface Place {
  id: string
  name: string
  here: boolean
  visited: boolean
  about: string
}
export type WayState = 'open' | 'shut' | 'guarded' | 'unsure'
export interface Way {
  from: string
  to: string
  name: string
  open: boolean
  state: WayState
}
export interface Person {
  id: string
  name: string
  role: string
  at: string
  turn_no: number
  here: boolean
}
export interface Told {
  places: Place[]
  ways: Way[]
  people: Person[]
}
/** Two places and the way between them, whichever end it was seen from. */
export interface Road {
  a: string
  b: string
  state: WayState
  /** Seen from one end only. */
  once: boolean
}
export interface Spot {
  x: number
  y: number
}
export interface Laid {
  width: number
  height: number
  spots: Map<string, Spot>
  roads: { road: Road; points: Spot[] }[]
}

export const STATES: Record<WayState, string> = { open: 'open', shut: 'shut', guarded: 'guarded', unsure: 'not sure it is open' }
const WORST: WayState[] = ['open', 'unsure', 'guarded', 'shut']

/** One road for each pair of places; where the two ends disagree, the worse holds. */
export function roadsOf(told: Told): Road[] {
  const known = new Set(told.places.map((place) => place.id))
  const roads = new Map<string, Road>()
  for (const way of told.ways) {
    if (!known.has(way.from) || !known.has(way.to) || way.from === way.to) continue
    const key = [way.from, way.to].sort().join('\u0000')
    const before = roads.get(key)
    if (!before) roads.set(key, { a: way.from, b: way.to, state: way.state, once: true })
    else roads.set(key, { ...before, once: false, state: WORST.indexOf(way.state) > WORST.indexOf(before.state) ? way.state : before.state })
  }
  return [...roads.values()]
}
