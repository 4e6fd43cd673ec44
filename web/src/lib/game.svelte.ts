// The table one sits at: its story, its state and the turn that is being played, kept true by server events.
import { ApiError, get, isLost, post, sentence } from './api'
import { listen, readAgain } from './events'
import { answered, cutOff, handing, lost } from './handed'
import { notice } from './notice.svelte'
import { wholeSentences } from './prose'
import type { Branch, Campaign, Change, Json, Picture, Roll, Status, TableView, Turn, TurnPart } from './types'

const FIRST = 20 // enough for any screen; what lies above comes when one scrolls up
const PAGE = 50

interface Stretch {
  turns: Turn[]
  more: boolean
  pictures?: Picture[]
}
export interface Live {
  turn_id: string
  turn_no: number
  player_input: string
  actor?: string
  parts?: TurnPart[]
  rolls: Roll[]
  changed: Change[]
  text: string
  stopping: boolean
  /** Where it waits until a model may be asked. */
  queued?: { place: number; seconds: number }
  /** Played in this tab, not in another. */
  own: boolean
}

class Game {
  status = $state<Status | null>(null)
  down = $state('')
  id = $state('')
  campaign = $state<Campaign | null>(null)
  turns = $state.raw<Turn[]>([])
  more = $state(false)
  /** Pictures of the opening. */
  pictures = $state.raw<Picture[]>([])
  table = $state.raw<TableView | null>(null)
  branches = $state.raw<Branch[]>([])
  live = $state<Live | null>(null)
  error = $state('')
  busy = $state('')
  connected = $state(true)
  draft = $state('')
  paused = $state(false)
  private hush: (() => void) | null = null
  private told = 0
  /** What one wrote oneself for the turn that is played: it comes back where the turn fails. */
  private typed = ''
  private reading = 0
  /** The line to the server is open: nothing that happens from now on is missed. */
  private hearing = false
  /** Something may have happened while it was not. */
  private missed = false
  private sending = false
  private ended = ''

  get last(): Turn | undefined {
    return this.turns.at(-1)
  }

  /** The turn on the page that shows the state: the one being played, else the last. */
  get changed(): Change[] {
    return this.live ? this.live.changed : (this.last?.changed ?? [])
  }

  get suggestions(): string[] {
    return this.last ? this.last.suggested_actions : (this.campaign?.suggested_actions ?? [])
  }

  async look() {
    try {
      // Who sits at several tables is asked about the one that is open.
      const at = /^#\/(?:table|world)\/([^/?]+)/.exec(location.hash)?.[1]
      this.status = await get<Status>(at ? `/status?campaign=${at}` : '/status')
      this.down = ''
    } catch (error) {
      this.down = sentence(error)
    }
  }

  async open(id: string) {
    if (this.id === id && this.campaign) return
    this.leave()
    this.id = id
    this.draft = sessionStorage.getItem(`draft:${id}`) ?? ''
    await this.reload()
    if (this.campaign) this.follow()
  }

  leave() {
    this.hush?.()
    this.hush = null
    Object.assign(this, { id: '', campaign: null, turns: [], table: null, live: null, error: '', more: false, branches: [] })
  }

  /** Reads everything anew. True when this answer is the one that is shown. */
  async reload(): Promise<boolean> {
    const id = this.id
    const reading = ++this.reading // an older answer that comes later does not count
    try {
      const [campaign, story, table] = await Promise.all([
        get<Campaign>(this.path('')),
        get<Stretch>(this.path(`/story?limit=${FIRST}`)),
        get<TableView>(this.path('/table')),
      ])
      if (id !== this.id || reading !== this.reading) return false
      Object.assign(this, { campaign, table, error: '' }, this.joined(story))
      if (this.hearing) this.connected = true
      this.compare()
      if (campaign.playing && campaign.playing !== this.ended && !this.live) this.begin({ turn_id: campaign.playing, turn_no: campaign.turn_no + 1, player_input: '' }, false)
      return true
    } catch (error) {
      if (id === this.id) this.error = sentence(error)
      if (error instanceof ApiError && error.kind === 'gone') this.down = error.message
      if (isLost(error) && this.campaign && id === this.id) {
        this.connected = false
        readAgain()
      }
      return false
    }
  }

  /** What was cut off and is told by now needs no second sending; else it is on the pen again. */
  private compare() {
    const kept = cutOff(this.id)
    if (!kept) return
    const told = this.turns.some((turn) => turn.turn_id === kept.turn_id || turn.parts?.some((part) => part.turn_id === kept.turn_id))
    if (told || this.campaign?.playing === kept.turn_id) {
      answered(this.id)
      if (this.draft.trim() === kept.text) this.keepDraft('')
    } else if (!this.draft && !this.live) this.keepDraft(kept.text)
  }

  /** The newest turns, with the earlier pages one has leafed back to; another branch brings its own past. */
  private joined(story: Stretch): Stretch {
    const [seam] = story.turns
    const at = seam ? this.turns.findIndex((turn) => turn.turn_id === seam.turn_id) : -1
    return at > 0 ? { turns: [...this.turns.slice(0, at), ...story.turns], more: this.more } : story
  }

  async earlier() {
    const first = this.turns[0]
    if (!first || !this.more) return
    const story = await get<Stretch>(this.path(`/story?before=${first.turn_no}&limit=${PAGE}`))
    if (this.turns[0] !== first) return
    this.turns = [...story.turns, ...this.turns]
    Object.assign(this, { more: story.more, pictures: story.pictures })
  }

  async loadBranches() {
    try {
      this.branches = (await get<{ branches: Branch[] }>(this.path('/branches'))).branches
    } catch {
      this.branches = []
    }
  }

  keepDraft(text: string) {
    this.draft = text
    sessionStorage.setItem(`draft:${this.id}`, text)
  }

  async play(text: string, mode: string) {
    if (this.live || (!text.trim() && mode !== 'go')) return
    const id = this.id // another story may be open by the time this one is answered
    const { turn_id } = handing(id, text, mode)
    this.begin({ turn_id, turn_no: (this.campaign?.turn_no ?? 0) + 1, player_input: text || 'I wait and see what happens.' })
    this.typed = text
    if (text) this.keepDraft('')
    try {
      await this.send('/turns', { text, mode }, turn_id)
      answered(id)
    } catch (error) {
      if (isLost(error)) lost(id)
      else answered(id)
      if (id === this.id) this.fail(turn_id, sentence(error))
      else notice.tell(sentence(error), true)
    }
  }

  /** Dice beside the game: nothing in the story changes. */
  async roll(expr: string) {
    try {
      const rolled = await post<{ text: string }>('/roll', { expr })
      this.keepDraft('')
      notice.tell(`You rolled ${rolled.text}`)
    } catch (error) {
      notice.tell(sentence(error), true)
    }
  }

  async stop() {
    if (!this.live || this.live.stopping) return
    this.live.stopping = true
    const stopped = await this.act('stop', {}, 'Stopped. What happened stays; the words come with the next turn.')
    if (!stopped && this.live) this.live.stopping = false
  }

  retry = () => this.last && this.again('retry', {}, this.last)

  edit = (turn: Turn, text: string) => this.again('edit', { turn_no: turn.turn_no, text }, { ...turn, player_input: text })

  /** The last turn once more in other words: the same facts and dice. */
  retell = async () => {
    notice.tell('Looking for other words…')
    await this.act('gm/pen', { verb: 'retell' }, 'The same, in other words. Undo brings the first ones back.')
  }

  /** A passage of one's own, told as it stands. */
  async tell(text: string) {
    if (this.live) notice.tell('A turn is being told; yours comes after it.')
    else if (text && (await this.act('gm/pen', { verb: 'tell', text }))) this.keepDraft('')
  }

  /** Plays a turn once more; its old words make room at once. */
  private async again(verb: string, body: Json, turn: Turn) {
    if (this.live) return
    this.begin({ turn_id: turn.turn_id, turn_no: turn.turn_no, player_input: turn.player_input })
    const went = await this.act(verb, body)
    if (!went) this.live = null
  }

  /** Verbs of time and safety. The server answers, then tells every tab that the table moved. */
  async act(verb: string, body: Json = {}, said = ''): Promise<boolean> {
    if (this.busy) return false
    this.busy = verb
    try {
      await this.send(`/${verb}`, body)
      if (said) notice.tell(said)
      return true
    } catch (error) {
      notice.tell(sentence(error), true)
      return false
    } finally {
      this.busy = ''
    }
  }

  /** Asks the server to do something. What comes of it may be over before the line is open. */
  private async send(rest: string, body: Json, key?: string) {
    if (!this.hearing) this.missed = true
    this.sending = true
    try {
      await post(this.path(rest), body, key)
    } finally {
      this.sending = false
      this.catchUp()
    }
  }

  private catchUp() {
    if (!this.missed || !this.hearing || this.sending) return
    this.missed = false
    void this.settle()
  }

  path = (rest: string) => `/campaigns/${encodeURIComponent(this.id)}${rest}`

  private begin(turn: { turn_id: string; turn_no: number; player_input: string }, own = true) {
    if (own) notice.tell('')
    this.told = 0
    this.typed = turn.player_input
    this.live = { ...turn, rolls: [], changed: [], text: '', stopping: false, own }
  }

  private fail(turnId: string, error: string) {
    if (this.live && this.live.turn_id === turnId && !this.draft && this.typed) this.keepDraft(this.typed)
    this.live = null
    notice.tell(error, true)
  }

  private follow() {
    this.hearing = false
    this.missed = !!this.live
    this.hush = listen(
      {
        open: () => {
          this.connected = this.hearing = true
          this.catchUp()
        },
        error: () => {
          this.connected = this.hearing = false
          this.missed = true
        },
        facts: (data) => this.hearFacts(data),
        prose: (data) => this.hearProse(data),
        queued: (data) => {
          if (this.live?.turn_id === data.turn_id) this.live.queued = data
        },
        again: (data) => {
          if (this.live?.turn_id === data.turn_id) Object.assign(this.live, { text: '', queued: undefined })
          this.told = 0
        },
        done: (data) => void this.settle(data.turn_id),
        moved: () => void this.settle(),
        pictures: () => void this.reload(),
        reset: () => void this.settle(),
        failed: (data) => {
          if (data.stopped) this.live = null
          else this.fail(data.turn_id, data.error)
          void this.reload()
        },
      },
      this.id,
    )
  }

  private hearFacts(data: any) {
    if (this.live?.turn_id !== data.turn_id) {
      this.told = 0
      const own = this.live?.own ?? false // a turn played anew comes back under another id
      if (!own) this.typed = ''
      this.live = { turn_id: data.turn_id, turn_no: data.turn_no, player_input: '', rolls: [], changed: [], text: '', stopping: false, own }
    }
    Object.assign(this.live!, {
      text: '',
      turn_no: data.turn_no,
      player_input: data.player_input ?? this.live!.player_input,
      actor: data.actor ?? '',
      parts: data.parts ?? [],
      rolls: data.rolls ?? [],
      changed: data.changed ?? [],
    })
    const dice = (data.rolls ?? []).map((roll: Roll) => roll.text).join('; ')
    if (dice) notice.say(`Dice: ${dice}`)
    void this.refreshTable()
  }

  private hearProse(data: any) {
    if (!this.live) return
    this.live.text += data.piece
    const whole = wholeSentences(this.live.text)
    if (whole.length > this.told) {
      notice.say(whole.slice(this.told))
      this.told = whole.length
    }
  }

  private async refreshTable() {
    const id = this.id
    try {
      const table = await get<TableView>(this.path('/table'))
      if (id === this.id) this.table = table
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
    }
  }

  /** The turn is over, or the table moved: what the server has is what is shown. */
  private async settle(turnId = '') {
    const heard = this.live?.text ?? ''
    const rest = heard.slice(this.told)
    if (turnId) this.ended = turnId
    if (!(await this.reload())) return // a later reading settles it
    if (rest) notice.say(rest)
    const over = this.live && (this.live.turn_id === this.ended || (!this.campaign?.playing && !this.sending))
    if (!over) return
    if (!heard && this.last) notice.say(this.last.final_text)
    this.live = null
  }
}

export const game = new Game()
