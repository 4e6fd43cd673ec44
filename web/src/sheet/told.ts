// A character sheet as the server tells it, and how its numbers are written.
export interface Part { label: string; value: number | string; source: string }
export interface Figured { label: string; value: number | string; parts: Part[] }
export interface Uses { max: number; used: number; reset?: string }
export interface Feature { name: string; origin: string; desc: string }
export interface Relation { who: string; kind: string; text: string }
export interface Attack { name: string; damage: string[]; range: string; props: string[] }
export interface Action { name: string; cost: string; uses: Uses | null; save: string; desc: string }
export interface Item { name: string; qty: number; equipped: boolean; attuned: boolean; desc: string }
export interface Spell { name: string; level: number; time: string; range: string; dur: string; conc: boolean; ritual: boolean; prepared: boolean; always: boolean; desc: string }

export interface Sheet {
  id: string
  system: string
  edition: string
  source: { kind: string; file: string; at: string }
  character_basics: { name: string; player: string; species: string; classes: { name: string; subclass: string; level: number }[]; background: string; alignment: string; abilities: Record<string, { score: number; mod: number }>; appearance: Record<string, string> }
  combat_info: { hp: { max: number; current: number; temp: number }; conditions: string[]; attacks: Attack[]; actions: Action[]; defenses: Record<string, string[]> }
  abilities_info: { skills: Record<string, { ability: string; rank: number }>; languages: string[]; senses: Record<string, string>; features: Feature[]; feats: Feature[] }
  inventory_info: { items: Item[]; currency: Record<string, number> }
  magic_info: { casters: { cls: string }[]; slots: Record<string, Uses>; pact: (Uses & { level: number }) | null; spells: Spell[] }
  story_info: { background_feature: Feature | null; traits: string; ideals: string; bonds: string; flaws: string; backstory: Record<string, string>; appearance: string }
  social_info: { allies: Relation[]; enemies: Relation[]; organizations: Relation[]; relationships: Relation[] }
  progress_info: { objectives: { text: string; state: string }[] }
  missing: string[]
  derived: Record<string, Figured>
}

export interface SheetRow { id: string; name: string; classes: string[]; level: number }

export interface Preview { id: string; name: string; kind: string; hash: string; already: boolean; replaces: boolean; changes: { what: string; before: string; after: string }[]; missing: string[]; sheet: Sheet }

export const ABILITIES: Record<string, string> = { str: 'Strength', dex: 'Dexterity', con: 'Constitution', int: 'Intelligence', wis: 'Wisdom', cha: 'Charisma' }

export const signed = (value: number | string) => (typeof value === 'number' ? `${value < 0 ? '\u2212' : '+'}${Math.abs(value)}` : value)

/** What one throws for a bonus. */
export const d20 = (bonus: number | string | undefined) => (typeof bonus === 'number' ? `1d20${bonus < 0 ? '-' : '+'}${Math.abs(bonus)}` : '')

/** The dice at the start of a damage: "1d8 + 5 slashing" is thrown as 1d8+5. */
export const dice = (damage: string) => (/^\d+d\d+(\s*[+-]\s*\d+)?/.exec(damage)?.[0] ?? '').replace(/\s/g, '')
