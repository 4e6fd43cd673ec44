// What the server says about a book that is read, and the words this screen has for it.
export interface Stage {
  name: string
  status: 'waiting' | 'started' | 'working' | 'done' | 'skipped' | 'failed'
  done: number
  total: number
  rate: number
  left_s: number
  seconds: number
  note: string
}
export interface Report {
  pages: number
  segments: number
  entities: number
  system: string
  private: boolean
  seconds: number
  notes: string[]
  stages: { name: string; warnings: string[] }[]
  validation: { ok: boolean; errors: string[]; warnings: string[]; stats: Record<string, number> }
}
export interface Job {
  id: string
  pack: string
  name: string
  license: string
  draft: boolean
  state: 'waiting' | 'running' | 'paused' | 'done' | 'failed' | 'accepted'
  stages: Stage[]
  error: string
  report: Report | null
}
export interface Section {
  id: string
  title: string
  heading_path: string[]
  page_start: number
  page_end: number
  word_count: number
  content_type: string | null
  route: string | null
  confidence: number
  reasons: string[]
}
export interface Preview {
  title: string
  pages: number
  chapters: { id: string; title: string; intent: string; page_start: number; page_end: number; words: number }[]
  types: Record<string, number>
  kinds: Record<string, number>
  doubtful_pages: { page: number; why: string[]; image: string }[]
  doubtful_segments: Section[]
  systems: Record<string, { confidence: number; pages?: number[] }>
}
export interface List {
  id: string
  under: string
  kind: string | null
  probability: number
  said_by: 'counting' | 'model' | 'person'
  fields: { label: string; type: string; members: number }[]
  entries: { name: string; page: number; fields: Record<string, string | number> }[]
}
export interface Thing {
  id: string
  name: string
  kind: string
  page: number
  summary: string
  aliases: string[]
  mentions: number
}

export const STAGES: Record<string, string> = {
  extract: 'Reading the pages',
  structure: 'Finding the chapters',
  segment: 'Cutting it into sections',
  classify: 'Telling lore from rules',
  enrich: 'Finding people, places and things',
  assemble: 'Binding the pack',
  validate: 'Asking it questions',
  systems: 'Taking out the rules',
}
export const STATES: Record<Job['state'], string> = {
  waiting: 'Waits its turn',
  running: 'Being read',
  paused: 'Paused',
  done: 'Ready to look over',
  failed: 'Could not be read',
  accepted: 'On the shelf',
}
export const KINDS = ['creature', 'person', 'spell', 'item', 'condition', 'class', 'people', 'deity', 'place', 'faction', 'event', 'feature', 'rule', 'thing']
export const TYPES = ['LOCATION', 'NPC', 'FACTION', 'CULTURE', 'ITEM', 'EVENT', 'HISTORY', 'RULES', 'TABLE', 'GENERAL']
const TYPE_NAMES: Record<string, string> = { NPC: 'people and creatures', LOCATION: 'place' }
export const typeName = (type: string | null) => (type ? (TYPE_NAMES[type] ?? type.toLowerCase()) : 'not sorted')
export const ROUTES: Record<string, string> = { LORE: 'for the story', SYSTEMS: 'for the rules', BOTH: 'for both' }

const isOver = (stage: Stage) => stage.status === 'done' || stage.status === 'skipped'
export const finished = (job: Job) => job.stages.filter(isOver).length
/** The stage that works now, or comes next. */
export const current = (job: Job) => job.stages.find((stage) => !isOver(stage))

const speed = (rate: number) => (rate >= 10 ? Math.round(rate) : rate.toFixed(1))

export function spell(seconds: number): string {
  if (seconds < 1) return 'under a second'
  if (seconds < 90) return `${Math.round(seconds)} s`
  return `${Math.round(seconds / 60)} min`
}

const UNITS: Record<string, string> = { extract: 'page', structure: 'page', segment: 'chapter', classify: 'section' }
const unitOf = (stage: Stage) => UNITS[stage.name] ?? 'piece'

/** `page 120 of 403 · 31 pages/s · 9 s left` */
export function progress(stage: Stage): string {
  const unit = unitOf(stage)
  const parts: string[] = []
  if (stage.total) parts.push(stage.done ? `${unit} ${stage.done} of ${stage.total}` : `${stage.total} ${unit}s`)
  if (stage.rate) parts.push(`${speed(stage.rate)} ${unit}s/s`)
  if (stage.left_s && stage.done < stage.total) parts.push(`${spell(stage.left_s)} left`)
  return parts.join(' · ') || stage.note
}

/** `403 pages · 8 s · 50 pages/s` for a stage that is over. */
export function over(stage: Stage): string {
  const unit = `${unitOf(stage)}s`
  if (!stage.total || stage.seconds < 0.05) return spell(stage.seconds)
  return `${stage.total} ${unit} · ${spell(stage.seconds)} · ${speed(stage.total / stage.seconds)} ${unit}/s`
}

export const pages = (from: number, to: number) => (from === to ? `page ${from}` : `pages ${from}–${to}`)

/** Everything that was noted on the way, each once. */
export function problems(job: Job): string[] {
  const report = job.report
  if (!report) return []
  const all = [...report.validation.errors, ...report.validation.warnings, ...report.stages.flatMap((stage) => stage.warnings), ...report.notes]
  return [...new Set(all)]
}

/** A licence as one reads it elsewhere: `cc-by` is CC BY. */
export const licenceName = (type: string) => (/^cc-/.test(type) ? `CC ${type.slice(3).toUpperCase()}` : /^(cc0|ogl|orc)$/.test(type) ? type.toUpperCase() : type)
