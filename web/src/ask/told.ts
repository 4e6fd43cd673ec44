// What `ask` and `research` answer, as far as this screen shows it.
export interface Cited {
  n: number
  tool: string
  where: string
  quote: string
  title?: string
  edition?: string
  url?: string
}

export interface Figure {
  label: string
  value: number | string
  parts: { label: string; value: number | string; source: string }[]
}

export interface Told {
  answer: string
  sources: Cited[]
  numbers?: Figure[]
  searched_and_empty?: string[]
  missing?: string[]
  notes?: string[]
  researchId?: string
  /** The conversation it is kept in. */
  thread?: string
}
