// A game master who tells every turn: what players have written, what the engine proposes, and the telling.
import { get, post, sentence } from './api'
import { people } from './company.svelte'
import { game } from './game.svelte'
import { notice } from './notice.svelte'

export interface Written {
  turn_id: string
  character: string
  text: string
  place: string
}
export interface Proposed {
  id: string
  text: string
  turns: string[]
  rolls: { text: string }[]
  changed: string[]
  blocked: string[]
}

class Telling {
  written = $state.raw<Written[]>([])
  /** What waits and is not answered this time. */
  later = $state.raw<string[]>([])
  proposed = $state.raw<Proposed | null>(null)
  busy = $state(false)

  get chosen(): string[] {
    return this.written.filter((one) => !this.later.includes(one.turn_id)).map((one) => one.turn_id)
  }

  async load() {
    try {
      const told = await get<{ written: Written[] }>(game.path('/company/written'))
      this.written = told.written
      this.later = this.later.filter((id) => told.written.some((one) => one.turn_id === id))
      if (this.proposed?.turns.some((id) => !told.written.some((one) => one.turn_id === id))) this.proposed = null
    } catch {
      this.written = []
    }
  }

  put(id: string, off: boolean) {
    this.later = off ? [...this.later, id] : this.later.filter((one) => one !== id)
  }

  /** A ruling, dice and words for what was written; where nothing was, for what is on the pen. */
  async propose() {
    const own = this.chosen.length ? '' : game.draft.trim()
    await this.work(async () => {
      this.proposed = await post<Proposed>(game.path('/company/propose'), { turns: this.chosen, text: own })
      game.keepDraft(this.proposed.text)
    })
  }

  async tell(text: string) {
    const answers = this.proposed?.turns ?? this.chosen
    const { id = '' } = this.proposed ?? {} // another page's proposal may have come since: that one is not told
    const body = { text, turns: answers, proposed: !!id, proposal: id, passage: !answers.length && !id }
    await this.work(async () => {
      await post(game.path('/company/tell'), body, `tell-${crypto.randomUUID()}`)
      game.keepDraft('')
      this.proposed = null
      await this.load()
    })
  }

  private async work(what: () => Promise<void>) {
    if (this.busy) return
    this.busy = true
    try {
      await what()
    } catch (error) {
      notice.tell(sentence(error), true)
      if (people.now) await this.load()
    } finally {
      this.busy = false
    }
  }
}

export const telling = new Telling()
