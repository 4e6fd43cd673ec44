// The people at the table: who is here, whose turn it is, what they say beside the story. Alone, it is empty.
import { ApiError, get, isLost, post, remove, sentence } from './api'
import { listen, readAgain } from './events'
import { game } from './game.svelte'
import { answered, cutOff, handing, lost } from './handed'
import { notice } from './notice.svelte'
import type { Json } from './types'

export interface PersonRow {
  id: string
  name: string
  role: 'gm' | 'player' | 'spectator'
  host: boolean
  seat: string
  character: string
  here: boolean
  ai: boolean
  about: string
  stand_in: string
  kept: boolean
}
export interface Company {
  campaign: string
  mode: 'free' | 'rounds' | 'together' | 'called' | 'initiative'
  round: number
  you: PersonRow
  people: PersonRow[]
  seats: { id: string; character: string; concept: string; person: string }[]
  turn_of: string[]
  waiting: string[]
  called: string
  yours: string
  order: { id: string; name: string; total: number; foe: boolean }[]
  told_by: string[]
  elsewhere: string[]
  devices: number
  invites: { id: string; role: string; seat: string; returning: string; uses: number; until: string; passphrase: boolean }[]
}
export interface TalkLine {
  no: number
  by: string
  name: string
  to: string[]
  text: string
  at: string
  rolls: { name: string; expr: string; total: number; text: string }[]
}
export interface LinkMade {
  url: string
  token: string
  qr: string
  reached_by_others: boolean
}
export const MODES = [
  { id: 'free', name: 'Free', about: 'Anyone, as they come.' },
  { id: 'rounds', name: 'Rounds', about: 'Each once, then the next round.' },
  { id: 'together', name: 'Together', about: 'All write, then all is told.' },
  { id: 'called', name: 'Called', about: 'You call who acts.' },
  { id: 'initiative', name: 'Initiative', about: 'In the order that all throw.' },
]

class People {
  now = $state.raw<Company | null>(null)
  talk = $state.raw<TalkLine[]>([])
  unread = $state(0)
  reading = $state(false)
  busy = $state(false)
  writing = $state.raw<string[]>([])
  private quiet = new Map<string, number>()
  private wrote = 0
  private id = ''
  /** What was said before one came is read; what comes from now on is new, by whatever way it comes. */
  private caughtUp = false

  /** Whoever came in by a link; the owner of the machine is no guest. */
  get guest(): boolean {
    return !!game.status?.seat
  }

  get watching(): boolean {
    return this.now?.you.role === 'spectator'
  }

  /** May say how turns go, and take one back. */
  get leads(): boolean {
    return !this.now || !this.guest || this.now.you.host || this.now.you.role === 'gm'
  }

  get hosts(): boolean {
    return !this.guest || !!this.now?.you.host
  }

  get knows(): boolean {
    return !this.guest || this.now?.you.role === 'gm'
  }

  /** Whether you are who tells every turn. */
  get tells(): boolean {
    return this.now?.you.role === 'gm' && this.now.told_by.length > 0
  }

  /** Whether what you write now would be played, or kept until all have written. */
  get yourTurn(): boolean {
    if (!this.now) return true
    if (!this.now.you.seat) return false
    if (this.now.mode === 'together') return true
    if (this.now.told_by.length && this.now.yours) return true
    return !this.now.yours && this.now.turn_of.includes(this.now.you.character)
  }

  follow(id: string): () => void {
    this.id = id
    this.caughtUp = false
    for (const timer of this.quiet.values()) clearTimeout(timer)
    this.quiet.clear()
    Object.assign(this, { now: null, talk: [], unread: 0, writing: [] })
    void this.load()
    return listen(
      {
        open: () => void this.load(),
        reset: () => void this.load(),
        company: () => void this.load(),
        talk: ({ line }) => this.hear(line),
        typing: ({ name }) => this.writes(name),
        facts: ({ actor, parts }) => this.wroteDown(parts?.length ? parts.map((part: { actor: string }) => part.actor) : [actor]),
        remind: () => notice.tell(`The others wait for ${this.now?.you.character ?? 'you'}. Take your time.`),
        error: () => void this.load(),
      },
      id,
    )
  }

  async load() {
    const id = this.id
    // Now, not later: what comes meanwhile by another way must not hide what came before it.
    const after = this.caughtUp ? (this.talk.at(-1)?.no ?? 0) : 0
    try {
      const told = await get<{ open: boolean; company: Company | null }>(`/campaigns/${encodeURIComponent(id)}/company`)
      if (id !== this.id) return
      const before = this.now
      this.now = told.company
      if (!this.now) return
      this.wroteDown(this.now.waiting)
      if (before && !before.turn_of.includes(this.now.you.character) && this.now.turn_of.includes(this.now.you.character)) notice.say(`It is your turn, ${this.now.you.character}.`)
      const { lines } = await get<{ lines: TalkLine[] }>(game.path(`/company/talk?after=${after}`))
      if (id !== this.id) return
      for (const line of lines) this.caughtUp ? this.hear(line) : this.add(line)
      this.caughtUp = true
      this.sendCutOff()
    } catch (error) {
      if (error instanceof ApiError && error.kind === 'gone') game.down = error.message
      if (isLost(error) && id === this.id) readAgain()
    }
  }

  /** Somebody writes, until they have been silent for a while. */
  private writes(name: string) {
    clearTimeout(this.quiet.get(name))
    this.quiet.set(name, window.setTimeout(() => (this.writing = this.writing.filter((one) => one !== name)), 6000))
    if (!this.writing.includes(name)) this.writing = [...this.writing, name]
  }

  /** What these characters do is written: their players write no longer. */
  private wroteDown(characters: string[]) {
    const done = (this.now?.people ?? []).filter((one) => one.character && characters.includes(one.character)).map((one) => one.name)
    if (this.writing.some((name) => done.includes(name))) this.writing = this.writing.filter((name) => !done.includes(name))
  }

  /** Lets the others see that you write, every few seconds at most. */
  iWrite() {
    if (!this.now || this.now.people.length < 2 || this.watching || Date.now() - this.wrote < 4000) return
    this.wrote = Date.now()
    void post(game.path('/company/typing'), {}).catch(() => undefined)
  }

  private add(line: TalkLine): boolean {
    if (this.talk.some((one) => one.no === line.no)) return false
    this.talk = [...this.talk, line].sort((a, b) => a.no - b.no).slice(-400)
    return true
  }

  private hear(line: TalkLine) {
    if (!this.add(line) || line.by === this.now?.you.id) return
    if (!this.reading) this.unread += 1
    const said = line.rolls.length ? `rolls ${line.text} ${line.rolls.map((roll) => `${roll.name} ${roll.text}`).join('; ')}` : line.text
    notice.say(`${line.name}${line.to.length ? ' whispers' : ''}: ${said}`)
  }

  /** Does something at the table, and shows what came of it. */
  async act<T = { open: boolean; company: Company | null }>(rest: string, body: Json = {}): Promise<T | null> {
    if (this.busy) return null
    this.busy = true
    try {
      const told = await post<T>(game.path(`/company${rest}`), body)
      if (told && typeof told === 'object' && 'company' in told) this.now = (told as { company: Company | null }).company
      return told
    } catch (error) {
      notice.tell(sentence(error), true)
      return null
    } finally {
      this.busy = false
    }
  }

  callBack(invite: string) {
    return this.drop(`/invites/${encodeURIComponent(invite)}`)
  }

  /** Takes something away from the table: an invitation, an AI player. */
  async drop(rest: string) {
    try {
      await remove(game.path(`/company${rest}`))
    } catch (error) {
      notice.tell(sentence(error), true)
    }
    await this.load()
  }

  /** Hands a turn in: it is told when it is due. */
  async handIn(text: string, mode: string) {
    if (!text.trim() || this.busy) return
    this.busy = true
    const id = this.id // another story may be open by the time this one is answered
    const { turn_id } = handing(id, text, mode)
    if (game.draft.trim() === text) game.keepDraft('')
    try {
      const told = await post<{ before: number; waits_for: string[] }>(game.path('/turns'), { text, mode }, turn_id)
      answered(id)
      // Over the pen one sees it; who listens is told.
      if (told.waits_for.length) notice.say(`Kept. Waiting for ${told.waits_for.join(', ')}.`)
      else if (told.before) notice.say('Kept. It is told after the others.')
    } catch (error) {
      if (isLost(error)) this.keep(id)
      else this.backToPen(id, text)
      notice.tell(isLost(error) ? 'The line is lost. What you wrote is kept, and sent when it is back.' : sentence(error), true)
    } finally {
      this.busy = false
    }
  }

  private keep(id: string) {
    lost(id)
    if (id === this.id) readAgain()
  }

  /** It was refused: the words are the writer's again, unless something else is on the page by now. */
  private backToPen(id: string, text: string) {
    answered(id)
    if (id !== this.id) sessionStorage.setItem(`draft:${id}`, text)
    else if (!game.draft.trim()) game.keepDraft(text)
  }

  /** What a reload or a lost line cut off is sent again; under its old id it is played once. */
  private sendCutOff() {
    const kept = cutOff(this.id)
    if (kept && !this.busy) void this.handIn(kept.text, kept.mode)
  }

  /** Dice for all to see. */
  async roll(expr: string) {
    const told = await this.act<{ lines: TalkLine[] }>('/rolls', { expr })
    for (const line of told?.lines ?? []) this.add(line)
    if (told) notice.tell(`You rolled ${told.lines.flatMap((line) => line.rolls).map((roll) => roll.text).join('; ')}. All see it, under Talk.`)
    return !!told
  }

  async say(text: string, to: string): Promise<boolean> {
    const told = await this.act<{ lines: TalkLine[] }>('/talk', { text, to: to ? [to] : [] })
    for (const line of told?.lines ?? []) this.add(line)
    return !!told
  }

  async onlyHere() {
    if (!(await this.act('/only-here'))) return
    notice.tell('Only this device is signed in now.')
    await this.load()
  }

  async leave() {
    if (await this.act('/leave')) game.down = 'You have left this table. Ask the host for a link to come back.'
  }
}

export const people = new People()
