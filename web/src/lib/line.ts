// The one line to the server. A browser has six for all tabs of an address, so the tabs share one (see worker.ts);
// whoever joins in the middle of a turn is told what was said of it so far.
export interface Told {
  name: string
  data: any
}
/** What a tab listens to. */
export interface Wish {
  campaigns: string[]
  names: string[]
  fresh: string[]
}
interface Ear {
  campaigns: string[]
  tell: (told: Told) => void
}
interface Telling {
  facts: any
  said: string
}

const ALL = '/api/events'
const AGAIN = 3000

export class Line {
  private ears = new Map<object, Ear>()
  private names = new Set(['open', 'error', 'reset', 'facts', 'prose', 'again', 'done', 'failed'])
  private source: EventSource | null = null
  private address = ''
  private telling = new Map<string, Telling>()

  /** Someone listens, to these campaigns ('' is everything) and these names of events; of the fresh ones they know nothing yet. */
  join(who: object, { campaigns, names, fresh }: Wish, tell: Ear['tell']) {
    this.ears.set(who, { campaigns, tell })
    for (const name of names) {
      if (!this.names.has(name) && this.source) this.hear(name)
      this.names.add(name)
    }
    if (!this.tune() && fresh.length && this.source?.readyState === EventSource.OPEN) this.catchUp(fresh, tell)
  }

  leave(who: object) {
    this.ears.delete(who)
    if (!this.ears.size) this.close()
  }

  /** Opens a line that carries what everyone wants. True when it is another one than before. */
  private tune(): boolean {
    const wanted = new Set([...this.ears.values()].flatMap((ear) => ear.campaigns))
    const [only] = wanted
    const address = wanted.size === 1 && only ? `${ALL}?campaign=${encodeURIComponent(only)}` : ALL
    if (this.source && [address, ALL].includes(this.address)) return false
    const before = !!this.source
    this.close()
    this.address = address
    const source = (this.source = new EventSource(address))
    for (const name of this.names) this.hear(name)
    // What happened between two lines nobody heard: it is read again.
    if (before) source.addEventListener('open', () => this.spread({ name: 'reset', data: {} }), { once: true })
    return true
  }

  private close() {
    this.source?.close()
    this.source = null
    this.telling.clear()
  }

  private hear(name: string) {
    const source = this.source!
    source.addEventListener(name, (event) => {
      if (source !== this.source) return
      const data = JSON.parse((event as MessageEvent).data || '{}')
      this.remember(name, data)
      this.spread({ name, data })
      // A server that answers with an error is not asked again by the browser; by us it is.
      if (name === 'error' && source.readyState === EventSource.CLOSED) setTimeout(() => this.reopen(source), AGAIN)
    })
  }

  private reopen(source: EventSource) {
    if (source !== this.source) return
    this.address = 'lost'
    this.tune()
  }

  private spread(told: Told) {
    const campaign = told.data.campaign
    for (const ear of [...this.ears.values()]) if (!campaign || ear.campaigns.some((one) => !one || one === campaign)) ear.tell(told)
  }

  private remember(name: string, data: any) {
    const turn = this.telling.get(data.campaign)
    if (name === 'reset') this.telling.clear()
    else if (name === 'facts') this.telling.set(data.campaign, { facts: data, said: '' })
    else if (name === 'done' || name === 'failed') this.telling.delete(data.campaign)
    else if (turn && name === 'prose') turn.said += data.piece
    else if (turn && name === 'again') turn.said = ''
  }

  private catchUp(campaigns: string[], tell: Ear['tell']) {
    tell({ name: 'open', data: {} })
    for (const [campaign, { facts, said }] of this.telling)
      if (campaigns.some((one) => !one || one === campaign)) {
        tell({ name: 'facts', data: facts })
        if (said) tell({ name: 'prose', data: { campaign, turn_id: facts.turn_id, piece: said } })
      }
  }
}
