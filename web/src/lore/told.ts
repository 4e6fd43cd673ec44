// What the researcher's routes say, and how it is put in words.
export interface Checkpoint {
  zone_name: string
  current_step: number
  progression_queue: string[]
  priority_queue: string[]
  completed_zones: string[]
  failed_zones: { zone_name: string; reason: string }[]
  held_zones: string[]
  daily_tokens_used: number
  cycle_tokens_used: number
  awaiting: string
  iteration: number
  sleeping_until: string
}
export interface Work {
  game: string
  checkpoint: Checkpoint
  spent: { tokens: number; cost_usd: number; calls: number; searches: number; crawls: number; estimated: number }
  per_cycle: number
  per_day: number
  last_at: string
  open_decisions: number
}
export interface Running {
  game: string
  running: boolean
  said: string
  wrong: string
}
export interface Label {
  label: string
  means: string
  because: string
  example: string
}
export interface ToJudge {
  conflicts: { conflict_id: string; subject: string; predicate: string; kept: string; source_a: Side; source_b: Side }[]
  doubts: { kind: string; why: string; facts: { subject: string; predicate: string; value: string }[] }[]
  gaps: { name: string; kind: string; why: string; zone_name: string }[]
  labels: Label[]
  doubles: { kind: string; id: string; name: string; into_id: string; into: string }[]
  acts: { act_id: string; what: string; subject: string; predicate: string; value: string; into: string; label: string }[]
  meanings: Record<string, string[]>
}
export interface Decision {
  decision_id: string
  game: string
  zone_name: string
  question: string
  options: string[]
  context: string
  default: string
  deadline: string
  asked_at: string
  choice: string
  answered_at: string
  answered_by: string
  already?: boolean
}
export interface Quoted {
  url: string
  domain: string
  tier: number
  quote: string
  revision: string
  licence: string
}
export interface Evidence {
  option: string
  confidence: number
  tokens: number
  researched: boolean
  sources: Quoted[]
}
export interface LoreNode {
  kind: string
  id: string
  name: string
  confidence: number
  data: Record<string, any>
}
export interface Edge {
  name: string
  source_kind: string
  source_id: string
  target_kind: string
  target_id: string
  label: string
  confidence: number
}
export interface LoreGraph {
  nodes: LoreNode[]
  edges: Edge[]
}
export interface Fact {
  predicate: string
  value: string
  value_kind: string
  value_id: string
  era: string
  confidence: number
  kept: boolean
  sources: Quoted[]
}
interface Side {
  value: string
  url: string
  tier: number
  era: string
  quote: string
}
export interface NodeFacts {
  node: LoreNode
  facts: Fact[]
  conflicts: { predicate: string; kind: string; source_a: Side; source_b: Side; kept: string; why: string }[]
  gaps: { name: string; kind: string; why: string; url: string }[]
}

export const KINDS: Record<string, [string, string]> = {
  zone: ['zone', 'Zones'],
  npc: ['person', 'People'],
  faction: ['faction', 'Factions'],
  lore: ['place or tale', 'Places and tales'],
  narrative_item: ['thing', 'Things'],
}
export const STEPS: Record<string, string> = {
  zone_overview_search: 'looking for pages',
  zone_overview_extract: 'reading of the zone',
  npc_search: 'looking for people',
  npc_extract: 'reading of people',
  faction_search_extract: 'reading of factions',
  lore_search_extract: 'reading of places and history',
  narrative_items: 'reading of things with a story',
  cross_reference: 'comparing the sources',
  discover_connected_zones: 'finding where to go next',
  package_and_send: 'handing in',
}
/** Out and back: “Ashmoor leads to Greyford”, “Mara Vell is home to”. */
const EDGES: Record<string, [string, string]> = {
  CONNECTS_TO: ['leads to', 'leads to'],
  BELONGS_TO: ['belongs to', 'has'],
  LOCATED_IN: ['is in', 'holds'],
  RELATES_TO: ['is tied to', 'is tied to'],
  CHILD_OF: ['is part of', 'is the parent of'],
  STANCE_TOWARD: ['stands to', 'is seen by'],
  FOUND_IN: ['is found in', 'holds'],
  ABOUT: ['is about', 'is told of in'],
}

const FROM: Record<string, string> = { hostile: 'has an enemy in', allied: 'has an ally in', neutral: 'is all one to' }
/** What a page's tables say, as headings, in the order in which one wants to read them. */
const HEADINGS: Record<string, string> = {
  description: 'Description', content: 'Told', role: 'Role', personality: 'Manner', level_range: 'Levels', class: 'Class', population: 'Population',
  connects_to: 'Leads to', zone: 'Where', faction: 'Faction', factions: 'Factions', place: 'Places', npc: 'People', item: 'Things', leader: 'Leader',
}
export const heading = (predicate: string) => HEADINGS[predicate] ?? title(predicate)
export const rank = (predicate: string) => (Object.keys(HEADINGS).indexOf(predicate) + 100) % 100

export const key = (kind: string, id: string) => `${kind}:${id}`
export const words = (text: string) => text.replaceAll('_', ' ')
export const title = (text: string) => words(text).replace(/^./, (first) => first.toUpperCase())
export const percent = (share: number) => `${Math.round(share * 100)} %`
export const count = (of: number) => of.toLocaleString('en-GB')
export const several = (of: number, one: string, many = `${one}s`) => `${count(of)} ${of === 1 ? one : many}`
export const tie = (edge: Edge, back = false) => {
  const said = EDGES[edge.name]?.[back ? 1 : 0] ?? words(edge.name.toLowerCase())
  if (edge.name === 'STANCE_TOWARD' && edge.label) return back ? (FROM[edge.label] ?? 'is known to') : `is ${edge.label} to`
  return edge.label ? `${said} (${words(edge.label)})` : said
}
export const tone = (edge: Edge) =>
  edge.name === 'CONNECTS_TO' ? 'way' : edge.name === 'STANCE_TOWARD' ? ({ hostile: 'cold', allied: 'warm' }[edge.label] ?? 'even') : ['ABOUT', 'RELATES_TO'].includes(edge.name) ? 'slight' : 'even'

/** Where a game stands, in one sentence. */
export function standing({ checkpoint: at }: Work, steps: string[]): string {
  const queue = [...at.priority_queue, ...at.progression_queue]
  if (at.sleeping_until) return `It sleeps until ${when(at.sleeping_until)}: the day’s tokens are spent.`
  if (at.awaiting) return `${at.zone_name || 'A zone'} is with the validator.`
  if (at.zone_name) {
    const next = STEPS[steps[at.current_step]] ?? 'handing in'
    return `${at.zone_name}: ${next}${at.iteration > 1 ? `, attempt ${at.iteration}` : ''}.`
  }
  if (queue.length) return `Next is ${queue[0]}.`
  if (at.held_zones.length) return 'Every way on waits for you.'
  return 'Everything in the queue is done.'
}

export function when(iso: string): string {
  const date = new Date(iso)
  if (Number.isNaN(date.getTime())) return iso
  const today = date.toDateString() === new Date().toDateString()
  return date.toLocaleString('en-GB', today ? { hour: '2-digit', minute: '2-digit' } : { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })
}
