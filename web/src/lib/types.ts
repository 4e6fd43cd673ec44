// What the server sends, as far as the screens read it.
export type Json = Record<string, unknown>

export interface Status {
  version: string
  model: string
  stays_here: boolean
  vectors_sent_to: string
  models: { name: string; note: string }[]
  home: string
  campaigns: number
  /** The one campaign that whoever came in by a link sits at; '' for the owner. */
  seat?: string
  role?: string
}
export interface Question {
  key: string
  ask: string
  options: string[]
  default: string
}
export interface Scenario {
  id: string
  name: string
  genre: string
  packs: string[]
  description: string
  heroes: { id: string; name: string; concept: string; stats: Record<string, number> }[]
  questions: Question[]
}
export interface CampaignRow {
  id: string
  name: string
  scenario: string
  updated_at: string
  current_turn: number
}
/** A campaign on its owner's shelf. */
export interface StoryRow extends CampaignRow {
  archived: boolean
  deleted_at: string
  party: boolean
  problem: string
}
export interface Campaign {
  id: string
  name: string
  scenario: string
  genre: string
  deleted_at: string
  /** The draft it is a preview of, or ''. */
  draft: string
  branch: string
  turn_no: number
  opening: string
  suggested_actions: string[]
  next_prompt: string
  pending: boolean
  /** The id of the turn on its way, or ''. */
  playing: string
}
export interface Roll {
  action: string
  dice: number[]
  sides: number
  modifier: number
  stat: string
  difficulty: number | null
  total: number
  outcome: string
  text: string
}
export interface Change {
  kind: string
  text: string
  id?: string
  from?: string | number | null
  to?: string | number | null
}
/** What one of several did in a turn that all took together. */
export interface TurnPart {
  turn_id: string
  actor: string
  text: string
}
export interface Turn {
  turn_no: number
  turn_id: string
  take: number
  takes: number
  player_input: string
  parts?: TurnPart[]
  /** Who acted, by name. */
  actor?: string
  final_text: string
  /** `pen`: a person wrote it; `corrected`: somebody changed its words. */
  told_by?: string
  next_prompt: string
  suggested_actions: string[]
  rolls: Roll[]
  changed: Change[]
  blocked: string[]
  rejected: number
  degraded: string[]
  at: string
  pictures?: Picture[]
}
/** A picture that was made on request. */
export interface Picture {
  id: string
  kind: string
  name: string
  url: string
  width: number
  height: number
}
export interface Clock {
  id: string
  name: string
  value: number
  max: number
}
export interface Fact {
  id: string
  text: string
  subject: string
  discovered_turn: number | null
}
export interface TableView {
  portraits?: Record<string, string>
  scene: { name: string; description: string; time: string; exits: { to: string; name: string }[] }
  here: { id: string; name: string; role: string; description: string }[]
  inventory: { id: string; name: string; qty: number; description: string }[]
  threads: { id: string; title: string; status: string }[]
  clocks: Clock[]
  facts: Fact[]
  situations: string[]
  hero: { name: string; concept: string; stats: Record<string, number>; harm: unknown }
  safety: { lines: string[]; veils: string[]; excluded: string[] }
  usage: { calls: number; tokens: number; cost_usd: number }
}
export interface Branch {
  name: string
  from_turn: number
  turn_no: number
  active: boolean
}

export interface Entity {
  id: string
  type: string
  name: string
  description: string
  facts: Fact[]
}
export interface Relation {
  a: string
  b: string
  type: string
  intensity: number
}
export interface World {
  entities: Entity[]
  relationships: Relation[]
  timeline: { turn_no: number; text: string }[]
}
export interface Passage {
  chunk_id: string
  text: string
  source: string
  pack_id: string
  metadata: Record<string, any>
}
