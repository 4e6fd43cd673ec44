// What the routes of AI players answer.
import { curly } from '../lib/prose'

export interface Seat {
  agent: string
  persona: string
  about: string
  character: string
  character_name: string
  concept: string
  person: boolean
  traits: Record<string, number>
}
export interface Waiting {
  round: number
  phase: string
  who: string
  question: string
  default: string
  options: string[]
}
export interface Party {
  party: string
  scenario: string
  seed: number
  strength: number
  session: number
  rounds: number
  running: boolean
  waiting: Waiting | null
  problem: string
  again_of: string
  seats: Seat[]
}
export interface Persona {
  id: string
  name: string
  about: string
}
export interface Row {
  step: number
  lane: string
  channel: string
  phase: string
  who: string
  text: string
  more: Record<string, any>
}
export interface Consensus {
  question: string
  proposal: { by: string; option: string; kind: string }
  state: string
  positions: { agent_id: string; stance: string; confidence: number; condition: string }[]
  rounds: number
  decided: boolean
  how: string
  dissent: string[]
}
export interface Round {
  round: number
  total: number
  place: string
  day: number
  consensus: Consensus
  rows: Row[]
}
export interface Audit {
  field: string
  kind: string
  truth: string
  believed: string
  retrievability: number
  threshold: number
  cause: string
  error: string | null
}
export interface Memory {
  fact_id: string
  believed: string
  truth: string
  confidence: number
  valid_at: number
  corruption_type: string | null
  session: number
  turn: number
  source: string
  importance: number
  diff: { op: 'same' | 'lost' | 'wrong'; text: string }[]
  audit: Audit[]
}
export interface Remembered {
  agent: string
  day: number
  strength: number
  percentile: number
  memories: Memory[]
  figures: { recalled: number; right: number; confidence: number }
}
export interface Curve {
  fact_id: string
  truth: string
  points: { day: number; held: number; believed: string; correct: boolean }[]
  details: { field: string; kind: string; truth: string; believed: string; threshold: number; since: number | null; held: number[] }[]
}
export interface Beside {
  left: string
  right: string
  parted_at: number | null
  lengths: [number, number]
  rounds: { round: number; same: boolean; place: [string, string]; consensus: [string, string]; decision: [string, string]; actions: Record<string, [string, string]> }[]
}

/** The name of whoever that id is, at this party's table. */
export function named(party: Party, id: string): string {
  if (id === 'dm') return 'Game master'
  const seat = party.seats.find((each) => each.agent === id || each.character === id)
  return seat ? (seat.agent === id ? seat.persona : curly(seat.character_name)) : id
}

export const KINDS: Record<string, string> = {
  conflation: 'mixed up with something else',
  detail_drift: 'a detail has drifted',
  emotional_coloring: 'coloured by feeling',
  simplification: 'simplified',
  false_confidence: 'wrong, and sure of it',
}

/** A memory's way through the party; see `party trail`. */
export interface Trail {
  fact_id: string
  truth: string
  steps: { kind: 'happened' | 'told' | 'disputed' | 'swayed' | 'decided'; round: number; who: string; text: string; right: boolean; heard_from: string }[]
  held: { who: string; believed: string; right: boolean }[]
}

/** Decisions that a wrong memory changed. */
export interface Changed {
  decisions: { round: number; who: string; fact_id: string; believed: string; truth: string; decided: string; rather: string; carried: boolean }[]
}
