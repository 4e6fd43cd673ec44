// Questions that belong together, kept with this tab: the newest first, each with what was asked and answered.
import { newId } from '../lib/api'
import type { Told } from './told'

export interface Asked {
  question: string
  told: Told
}
export interface Thread {
  id: string
  asked: Asked[]
}
const KEY = 'ask:threads'
const MOST_THREADS = 12
const MOST_ASKED = 12

class Threads {
  all = $state.raw<Thread[]>(read())
  now = $state('')

  get thread(): Thread | undefined {
    return this.all.find((one) => one.id === this.now)
  }

  add(asked: Asked) {
    const before = this.thread ?? { id: newId('thread'), asked: [] }
    const grown = { ...before, asked: [...before.asked, asked].slice(-MOST_ASKED) }
    this.now = grown.id
    this.keep([grown, ...this.all.filter((one) => one.id !== grown.id)])
  }

  drop(id: string) {
    if (this.now === id) this.now = ''
    this.keep(this.all.filter((one) => one.id !== id))
  }

  private keep(all: Thread[]) {
    this.all = all.slice(0, MOST_THREADS)
    try {
      sessionStorage.setItem(KEY, JSON.stringify(this.all))
    } catch {
      // Storage is off or full: threads last until the tab closes.
    }
  }
}

/** Kept with the tab: answers quote sheets and notes, which are nobody else's business on a shared machine. */
function read(): Thread[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '[]')
    return Array.isArray(kept) ? kept : []
  } catch {
    return []
  }
}

export const threads = new Threads()
