// The draft on the desk: what is written, kept on the server at each change, and what the check says of it.
import { ApiError, get, post, sentence } from '../lib/api'
import { notice } from '../lib/notice.svelte'
import type { Data, Draft, Finding, Kind, Path, System } from './types'

const PAUSE = 500
const kept = (id: string) => `desk:${id}`
export const same = (a: Path, b: Path) => a.length === b.length && a.every((part, at) => String(part) === String(b[at]))
export const under = (path: Path, where: Path) => where.length >= path.length && path.every((part, at) => String(part) === String(where[at]))

class Desk {
  id = $state('')
  data = $state<Data>({})
  now = $state.raw<Draft | null>(null)
  systems = $state.raw<System[]>([])
  state = $state<'kept' | 'writing' | 'saving' | 'lost' | 'conflict'>('kept')
  told = $state('')
  error = $state('')
  private version = 0
  private timer = 0
  private changes = 0
  private going: Promise<void> | null = null

  async open(id: string) {
    await this.flush()
    ;[this.id, this.now, this.error, this.state, this.told] = [id, null, '', 'kept', '']
    try {
      const [draft, all] = await Promise.all([get<Draft>(`/drafts/${encodeURIComponent(id)}`), get<{ systems: System[] }>('/drafts')])
      if (this.id !== id) return
      this.systems = all.systems
      this.take(draft)
      this.bringBack()
    } catch (wrong) {
      if (this.id === id) this.error = sentence(wrong)
    }
  }

  /** What a server that was gone has not heard yet. */
  private bringBack() {
    const left = localStorage.getItem(kept(this.id))
    if (!left) return
    const { version, scenario } = JSON.parse(left) as { version: number; scenario: Data }
    this.data = scenario
    this.version = version
    this.touch()
    notice.tell('What you wrote while the server was away is here again.')
  }

  private take(draft: Draft) {
    this.now = draft
    this.version = draft.version
    this.data = structuredClone(draft.scenario)
    this.state = 'kept'
  }

  read(path: Path): any {
    return path.reduce<any>((node, part) => (node == null ? undefined : node[part]), this.data)
  }

  /** Writes a value; what leads to it is made where it is not there yet. */
  put(path: Path, value: unknown) {
    let node: any = this.data
    path.slice(0, -1).forEach((part, at) => {
      if (node[part] == null || typeof node[part] !== 'object') node[part] = typeof path[at + 1] === 'number' ? [] : {}
      node = node[part]
    })
    const last = path[path.length - 1]
    if (value === undefined) {
      if (Array.isArray(node)) node.splice(last as number, 1)
      else delete node[last]
    } else node[last] = value
    this.touch()
  }

  drop(path: Path) {
    this.put(path, undefined)
  }

  /** Adds to a list; gives the number it has there. */
  add(path: Path, row: unknown): number {
    if (!Array.isArray(this.read(path))) this.put(path, [])
    const list = this.read(path) as unknown[]
    list.push(row)
    this.touch()
    return list.length - 1
  }

  touch() {
    this.changes += 1
    if (this.state !== 'conflict') this.state = 'writing'
    try {
      localStorage.setItem(kept(this.id), JSON.stringify({ version: this.version, scenario: this.data }))
    } catch {
      // The browser's store is full or forbidden; the server keeps it all the same.
    }
    clearTimeout(this.timer)
    if (this.state !== 'conflict') this.timer = window.setTimeout(() => void this.save(), PAUSE)
  }

  /** Waits until everything that was written is kept. */
  async flush() {
    clearTimeout(this.timer)
    await this.going
    if (this.state === 'writing' || this.state === 'lost') await this.save()
  }

  /** Whether the server has all that was written; it is said where it has not. */
  async isKept(): Promise<boolean> {
    await this.flush()
    if (this.state === 'kept') return true
    notice.tell('What you wrote last is not kept yet: see to that first.', true)
    return false
  }

  async save() {
    if (this.going) return
    this.going = this.send()
    await this.going
    this.going = null
    if (this.state === 'writing') this.timer = window.setTimeout(() => void this.save(), PAUSE)
  }

  private async send() {
    const [id, sent] = [this.id, this.changes]
    this.state = 'saving'
    try {
      const draft = await post<Draft>(`/drafts/${encodeURIComponent(id)}`, { scenario: $state.snapshot(this.data), version: this.version })
      if (this.id !== id) return
      this.now = draft
      this.version = draft.version
      this.state = sent === this.changes ? 'kept' : 'writing'
      if (this.state === 'kept') localStorage.removeItem(kept(id))
    } catch (wrong) {
      if (this.id !== id) return
      const clash = wrong instanceof ApiError && wrong.status === 409
      this.state = clash ? 'conflict' : 'lost'
      this.told = sentence(wrong)
    }
  }

  private clash(told: string) {
    clearTimeout(this.timer)
    this.state = 'conflict'
    this.told = told
  }

  /** Two wrote at once: what the other wrote holds, or mine does. Both are versions. */
  async settle(mine: boolean) {
    const draft = await get<Draft>(`/drafts/${encodeURIComponent(this.id)}`)
    localStorage.removeItem(kept(this.id))
    if (!mine) return this.take(draft)
    this.version = draft.version
    this.state = 'writing'
    await this.save()
  }

  async step(back: boolean) {
    await this.move(back ? 'undo' : 'redo')
  }

  async goTo(number: number) {
    await this.move('version', { number })
  }

  private async move(how: string, body = {}) {
    await this.flush()
    if (this.state !== 'kept') return
    const [id, before] = [this.id, this.changes]
    try {
      const draft = await post<Draft>(`/drafts/${encodeURIComponent(id)}/${how}`, body)
      if (this.id !== id) return
      if (this.changes !== before) return this.clash('You went on writing while another version was fetched')
      this.take(draft)
      notice.say(how === 'undo' ? 'Taken back.' : 'Here again.')
    } catch (wrong) {
      notice.tell(sentence(wrong), true)
    }
  }

  found(path: Path, but: string[] = []): Finding[] {
    return (this.now?.findings ?? []).filter((one) => under(path, one.where) && !but.includes(String(one.where[path.length])))
  }

  entities(...types: string[]): { id: string; name: string }[] {
    const rows = Array.isArray(this.data.entities) ? this.data.entities : []
    return rows.filter((row: Data) => types.includes(row?.type)).map((row: Data) => ({ id: String(row.id), name: String(row.name || row.id) }))
  }

  /** What may be chosen for a part of a condition or an effect. */
  choices(kind: Kind): { id: string; name: string }[] | null {
    const rows = (key: string, called: (row: Data) => string) => (Array.isArray(this.data[key]) ? this.data[key] : []).map((row: Data) => ({ id: String(row.id), name: called(row) || String(row.id) }))
    const hero = { id: 'player', name: 'the hero' }
    switch (kind) {
      case 'fact':
        return rows('facts', (row) => (row.object?.text ? String(row.object.text) : `${row.subject_id} ${row.predicate}`))
      case 'item':
        return this.entities('item')
      case 'place':
        return this.entities('location')
      case 'person':
        return this.entities('npc')
      case 'clock':
        return rows('clocks', (row) => row.name)
      case 'thread':
        return rows('threads', (row) => row.title)
      case 'anyone':
        return [hero, ...this.entities('npc', 'location', 'item', 'object', 'faction')]
      case 'owner':
        return [hero, { id: 'nowhere', name: 'nowhere' }, ...this.entities('npc', 'location')]
      case 'status':
        return ['hidden', 'active', 'resolved', 'failed'].map((name) => ({ id: name, name }))
      default:
        return null
    }
  }

  ids(): string[] {
    return (this.data.entities ?? []).map((row: Data) => String(row.id))
  }

  /** Where somebody is at the start: by a fact, or by what is written of them. */
  standsAt(id: string): string {
    const fact = (this.data.facts ?? []).find((row: Data) => row.subject_id === id && row.predicate === 'at')
    return String(fact?.object?.value ?? this.data.entities?.find((row: Data) => row.id === id)?.attrs?.location ?? '')
  }

  place(id: string, at: string) {
    const fact = (this.data.facts ?? []).findIndex((row: Data) => row.subject_id === id && row.predicate === 'at')
    const number = (this.data.entities ?? []).findIndex((row: Data) => row.id === id)
    if (fact >= 0) this.put(['facts', fact, 'object', 'value'], at)
    else if (number >= 0) this.put(['entities', number, 'attrs', 'location'], at)
  }
}

export const desk = new Desk()
