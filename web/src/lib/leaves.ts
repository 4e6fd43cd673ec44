// What leaves this machine, in one sentence without its full stop.
import type { Status } from './types'

export function whatLeaves(status: Status | null): string {
  if (!status || status.stays_here) return 'Nothing leaves this machine'
  if (status.vectors_sent_to) return `Texts are sent to ${status.vectors_sent_to} for search by meaning`
  return 'The model is on another machine'
}

/** What of a book that is brought leaves it. */
export function sentOf(status: Status | null): string {
  if (!status || status.stays_here) return 'Nothing of it leaves this machine.'
  if (status.vectors_sent_to) return `Its passages are sent to ${status.vectors_sent_to} for search by meaning.`
  return `Passages of it are sent to ${status.model}.`
}

/** A model's name as one says it: an address of one's own is long. */
export const called = (model: string) => (model === 'offline' ? 'built-in game master' : model.replace(/^url:https?:\/\/([^/#]*)[^#]*#(.*)$/, '$2 at $1'))
