// Which of our palettes a genre wears. Genres are free words; one we have no colours for draws a palette by its letters.
import { drawsOf, oneOf } from '../lib/seed'

export const FAMILIES = ['fantasy', 'gothic', 'cyber', 'space', 'noir', 'west', 'wild', 'myth', 'capes', 'bygone', 'spies', 'cosy'] as const
export type Family = (typeof FAMILIES)[number]

/** What the tiles of the start box say; the words are sent as the genre, so they are words people use. */
export const TILES: { family: Family; name: string; spark: string }[] = [
  { family: 'fantasy', name: 'Fantasy', spark: 'A toll-keeper on a bridge nobody built finds a door in its middle pier.' },
  { family: 'gothic', name: 'Horror', spark: 'The new tenant of a house on the moor learns what the lamp was keeping away.' },
  { family: 'cyber', name: 'Cyberpunk', spark: 'A courier has six hours to deliver a memory that is not hers.' },
  { family: 'space', name: 'Space', spark: 'A salvage crew boards a ship that left port tomorrow.' },
  { family: 'noir', name: 'Mystery', spark: 'Every guest at the hotel has the same alibi, word for word.' },
  { family: 'west', name: 'Western', spark: 'The railroad wants the valley, and the only map of it is tattooed on a dead man.' },
  { family: 'wild', name: 'After the end', spark: 'A radio that has been silent for thirty years asks for you by name.' },
  { family: 'myth', name: 'Legend', spark: 'The god under the mountain has not been paid, and the harvest feast is tomorrow.' },
  { family: 'capes', name: 'Superhero', spark: 'The mask of the greatest hero in the city has been stolen, and the sidekick has three alibis.' },
  { family: 'bygone', name: 'History', spark: 'A letter reaches the merchant by mule, nine years late, and accuses her of murder.' },
  { family: 'spies', name: 'Spies', spark: 'The spy they buried in March has come back to the embassy, under her own name.' },
  { family: 'cosy', name: 'Cosy', spark: 'The oldest sourdough in the village has been stolen, and the fair is on Saturday.' },
]

/** The first that is found counts. Every genre of the forge is named here; tests/forge/test_palettes.py holds it to that. */
const WORDS: [Family, RegExp][] = [
  ['cyber', /cyber|punk|hack|near.?future|dystop/i],
  ['space', /space|sci|star|planet|galax|alien/i],
  ['gothic', /horror|gothic|ghost|dread|undead|vampir|cosmic/i],
  ['capes', /superhero|super.?(power|villain)|\bcapes?\b|comic/i],
  ['spies', /\bwars?\b|spy|spies|espion/i],
  ['noir', /noir|myster|crime|detect|thrill|modern|present|urban|heist|jazz/i],
  ['west', /west|frontier|desert|outlaw/i],
  ['wild', /apocal|after the end|survival|waste|wild|post/i],
  ['bygone', /bygone|histor|antiq|medieval|victorian|court|pirate/i],
  ['myth', /myth|legend|saga|folk|wuxia/i],
  ['fantasy', /fantas|magic|sword|fairy|adventure/i],
  ['cosy', /cosy|cozy|village|school|slice of life|comed/i],
]

export function familyOf(genre: string): Family {
  if (!genre) return 'fantasy'
  return WORDS.find(([, words]) => words.test(genre))?.[0] ?? oneOf(drawsOf(genre.toLowerCase()), FAMILIES)
}
