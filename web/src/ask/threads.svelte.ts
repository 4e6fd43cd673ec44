// Questions that belong together, kept by the house: the newest first, each with what was asked and answered.
import { get, newId, remove } from '../lib/api'
import type { Told } from './told'

export interface Asked {
  question: string
  told: Told
}
export interface Thread {
  id: string
  begins: string
  asked: Asked[]
  /** Whether the house keeps it; research alone is kept elsewhere. */
  kept: boolean
}

class Threads {
  all = $state.raw<Thread[]>([])
  now = $state('')

  get thread(): Thread | undefined {
    return this.all.find((one) => one.id === this.now)
  }

  /** The conversations that were kept; their answers come when one is opened. */
  async load() {
    try {
      const found = await get<{ threads: { id: string; begins: string }[] }>('/ask/threads')
      const open = new Map(this.all.map((one) => [one.id, one]))
      const kept = found.threads.map((row) => open.get(row.id) ?? { id: row.id, begins: row.begins, asked: [], kept: true })
      this.all = [...this.all.filter((one) => !one.kept), ...kept]
    } catch {
      // What this tab has asked stays.
    }
  }

  async open(id: string) {
    const known = this.all.find((one) => one.id === id)
    if (!known || known.asked.length) return
    try {
      const found = await get<{ asked: Asked[] }>(`/ask/threads/${id}`)
      this.all = this.all.map((one) => (one.id === id ? { ...one, asked: found.asked } : one))
    } catch {
      this.now = ''
    }
  }

  /** An answer joins the thread it says it is kept in; research is kept elsewhere and shown with what was asked last. */
  add(asked: Asked) {
    const id = asked.told.thread || this.now || newId('thread')
    const before = this.all.find((one) => one.id === id) ?? { id, begins: asked.question, asked: [], kept: Boolean(asked.told.thread) }
    const grown = { ...before, asked: [...before.asked, asked] }
    this.now = id
    this.all = [grown, ...this.all.filter((one) => one.id !== id)]
  }

  async drop(id: string) {
    const kept = this.all.find((one) => one.id === id)?.kept
    if (this.now === id) this.now = ''
    this.all = this.all.filter((one) => one.id !== id)
    if (kept) await remove(`/ask/threads/${id}`).catch(() => {})
  }
}

export const threads = new Threads()
