// A turn that was sent and not answered. Sent again it keeps its id, and the server plays an id once: what a reload or a
// lost line cut off is neither lost nor played twice.
import { newId } from './api'

export interface Handed {
  turn_id: string
  text: string
  mode: string
}

const onTheWay = new Set<string>()
const key = (campaign: string) => `handed:${campaign}`
const kept = (campaign: string): Handed | null => JSON.parse(sessionStorage.getItem(key(campaign)) ?? 'null')

/** What was cut off at this table, if anything was. */
export const cutOff = (campaign: string) => (onTheWay.has(campaign) ? null : kept(campaign))

/** Kept until it is answered; the same words that were cut off are the same turn. */
export function handing(campaign: string, text: string, mode: string): Handed {
  const before = kept(campaign)
  const now = before?.text === text && before.mode === mode ? before : { turn_id: newId('turn'), text, mode }
  sessionStorage.setItem(key(campaign), JSON.stringify(now))
  onTheWay.add(campaign)
  return now
}

/** The server has said yes or no. */
export function answered(campaign: string) {
  onTheWay.delete(campaign)
  sessionStorage.removeItem(key(campaign))
}

/** Nobody knows whether the server has it. */
export const lost = (campaign: string) => void onTheWay.delete(campaign)
