// A draft as the server tells it, and the language in which a story says what must be so and what becomes so.
import type { Told } from '../map/types'

export type Path = (string | number)[]
export type Data = Record<string, any>

export interface Finding {
  severity: 'error' | 'warning' | 'note'
  message: string
  where: Path
  fix: string
}
export interface Way {
  by: string
  at: string
  where: Path
}
export interface Clue {
  fact: string
  text: string
  ways: Way[]
  enough: boolean
  answers: string[]
  opens: string[]
}
export interface DraftRow {
  id: string
  name: string
  genre: string
  description: string
  version: number
  at: string
  deleted: boolean
}
export interface Draft extends DraftRow {
  scenario: Data
  undo: boolean
  redo: boolean
  ok: boolean
  findings: Finding[]
  clues: Clue[]
  map: Told | null
  drawn: boolean
}
export interface System {
  id: string
  name: string
  actions: string[]
  stats: string[]
}

/** What stands in a part of a condition or an effect: the name of a list to choose from, or what is typed. */
export type Kind = 'fact' | 'item' | 'place' | 'person' | 'clock' | 'thread' | 'anyone' | 'owner' | 'status' | 'words' | 'number' | 'value'
export interface Part {
  key: string
  kind: Kind
  hint: string
  also?: unknown
}
/** `one`: the value itself. `list`: parts in order. `map`: parts by name. */
export interface Form {
  name: string
  said: string
  shape: 'one' | 'list' | 'map'
  parts: Part[]
}

const part = (key: string, kind: Kind, hint: string, also?: unknown): Part => ({ key, kind, hint, also })
const one = (name: string, said: string, kind: Kind, hint: string): Form => ({ name, said, shape: 'one', parts: [part('', kind, hint)] })

export const CONDITIONS: Form[] = [
  one('known', 'they know', 'fact', 'a secret'),
  one('unknown', 'they do not know', 'fact', 'a secret'),
  one('has', 'they carry', 'item', 'a thing'),
  one('lacks', 'they do not carry', 'item', 'a thing'),
  one('at', 'they are at', 'place', 'a place'),
  one('present', 'is with them', 'person', 'somebody'),
  one('absent', 'is not with them', 'person', 'somebody'),
  { name: 'clock', said: 'a clock stands at least at', shape: 'map', parts: [part('id', 'clock', 'a clock'), part('at_least', 'number', 'at least')] },
  { name: 'trust', said: 'somebody trusts them at least', shape: 'map', parts: [part('who', 'person', 'somebody'), part('at_least', 'number', 'from -5 to 5')] },
  { name: 'thread', said: 'a question stands', shape: 'list', parts: [part('0', 'thread', 'a question'), part('1', 'status', 'how')] },
  { name: 'fact', said: 'it is so that', shape: 'list', parts: [part('0', 'anyone', 'who or what'), part('1', 'words', 'is, has, door …'), part('2', 'value', 'open')] },
  { name: 'not_fact', said: 'it is not so that', shape: 'list', parts: [part('0', 'anyone', 'who or what'), part('1', 'words', 'is, has, door …'), part('2', 'value', 'open')] },
  one('turn_at_least', 'so many turns were played', 'number', 'turns'),
]

export const EFFECTS: Form[] = [
  one('reveal', 'they learn', 'fact', 'a secret'),
  { name: 'clock', said: 'a clock moves by', shape: 'map', parts: [part('id', 'clock', 'a clock'), part('delta', 'number', 'by', 1)] },
  { name: 'set', said: 'it becomes so that', shape: 'map', parts: [part('subject', 'anyone', 'who or what'), part('predicate', 'words', 'is, has, door …'), part('value', 'value', 'open'), part('text', 'words', 'in a sentence')] },
  { name: 'thread', said: 'a question is now', shape: 'list', parts: [part('0', 'thread', 'a question'), part('1', 'status', 'how')] },
  { name: 'trust', said: 'somebody trusts them more by', shape: 'map', parts: [part('who', 'person', 'somebody'), part('delta', 'number', 'by', 1)] },
  { name: 'hand', said: 'a thing changes hands', shape: 'map', parts: [part('item', 'item', 'a thing'), part('source', 'owner', 'from'), part('to', 'owner', 'to')] },
  { name: 'leave', said: 'somebody goes', shape: 'map', parts: [part('who', 'person', 'somebody'), part('to', 'place', 'where to')] },
  one('bring', 'comes to where they are', 'person', 'somebody'),
  one('go', 'play goes on at', 'place', 'a place'),
  one('minutes', 'so many minutes pass', 'number', 'minutes'),
]

export const SECTIONS = [
  { id: 'over', name: 'Overview' },
  { id: 'story', name: 'Story' },
  { id: 'cast', name: 'Cast' },
  { id: 'places', name: 'Places' },
  { id: 'facts', name: 'Facts & clues' },
  { id: 'clocks', name: 'Clocks' },
  { id: 'moves', name: 'Moves' },
  { id: 'endings', name: 'Endings' },
]

/** In which part of the desk a finding is put right. */
export function sectionOf(where: Path, data: Data): string {
  const [first, second] = where
  if (first === 'entities' || first === 'inventory' || first === 'relationships') return data.entities?.[second as number]?.type === 'location' ? 'places' : 'cast'
  const known: Record<string, string> = { people: 'cast', places: 'places', facts: 'facts', clues: 'facts', threads: 'facts', clocks: 'clocks', cost_clocks: 'clocks', moves: 'moves', affordances: 'moves', discoverables: 'places', endings: 'endings' }
  return known[String(first)] ?? 'story'
}

/** A name as an id that nothing else has. */
export function idOf(name: string, taken: Iterable<string>): string {
  const used = new Set(taken)
  const plain = name.normalize('NFD').replace(/[\u0300-\u036f]/g, '').toLowerCase().replace(/[^a-z0-9]+/g, '_').replace(/^_+|_+$/g, '') || 'new'
  let id = plain
  for (let number = 2; used.has(id); number += 1) id = `${plain}_${number}`
  return id
}
