// Chance with a seed: the same name gives the same face, cover and stroke on every machine and every day.
export type Draw = () => number

/** Numbers from 0 to 1, always the same for the same words (mulberry32 over an FNV-1a hash). */
export function drawsOf(words: string): Draw {
  let state = 0x811c9dc5
  for (let at = 0; at < words.length; at++) state = Math.imul(state ^ words.charCodeAt(at), 0x01000193)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

export const between = (draw: Draw, low: number, high: number) => low + draw() * (high - low)
export const oneOf = <T>(draw: Draw, all: readonly T[]): T => all[Math.floor(draw() * all.length)]
