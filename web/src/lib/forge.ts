// Asks the server to make a story out of a sentence, a genre, packs or a card: the one place that knows how that is asked.
import { ApiError, post } from './api'

export interface Wish {
  premise?: string
  genre?: string
  packs?: string[]
}
export interface Forged {
  scenario: string
  name: string
}
export const NOT_HERE = 'This server cannot make a new story out of a sentence yet. Choose one of the stories below, or bring one with you.'

export async function forge(wish: Wish): Promise<Forged> {
  try {
    return await post<Forged>('/scenarios', { ...wish })
  } catch (wrong) {
    if (wrong instanceof ApiError && [404, 405, 501].includes(wrong.status)) throw new ApiError(NOT_HERE, wrong.status, wrong.kind)
    throw wrong
  }
}
