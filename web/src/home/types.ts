// What the front page is told of each story.
import type { Clock } from '../lib/types'

export interface StoryFront {
  id: string
  name: string
  scenario: string
  genre: string
  about: string
  hero: string
  concept: string
  place: string
  time: string
  last_line: string
  clock: Clock | null
  here: { id: string; name: string; role: string; description: string }[]
  turn_no: number
  updated_at: string
  archived: boolean
  party: boolean
  problem: string
}
export interface HomeTold {
  stories: StoryFront[]
  more: number
  deleted: number
}

/** How long ago, as one says it. */
export function ago(at: string): string {
  const days = Math.floor((Date.now() - new Date(at).getTime()) / 86_400_000)
  if (!Number.isFinite(days)) return ''
  if (days < 1) return 'today'
  if (days < 2) return 'yesterday'
  if (days < 14) return `${days} days ago`
  return new Date(at).toLocaleDateString(undefined, { day: 'numeric', month: 'long', year: 'numeric' })
}
