// What happens on the server, as each screen wants to hear it. All tabs share one line (line.ts) through a worker; where
// a browser has no shared workers, the tab has a line of its own.
import { Line, type Told } from './line'

interface Ear {
  campaign: string
  handlers: Record<string, (data: any) => void>
}

const ears = new Set<Ear>()
const DOZE = 30_000
const AGAIN = 3000
let asleep = 0
let away = false
let port: MessagePort | null = null
let own: Line | null = null

try {
  const worker = new SharedWorker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'freeform' })
  port = worker.port
  port.onmessage = ({ data }) => hear(data)
  worker.onerror = () => {
    port = null
    tune(true)
  }
} catch {
  // No shared workers here, or they are forbidden.
}

/** `open` and `error` are heard when the line is made or lost, all else as the server names it. Gives what ends it. */
export function listen(handlers: Ear['handlers'], campaign = ''): () => void {
  const ear = { campaign, handlers }
  ears.add(ear)
  tune(false, campaign)
  return () => {
    ears.delete(ear)
    tune()
  }
}

let again = 0

/** Something could not be read: everything is read again, in a moment or as soon as the browser is back on line. */
export function readAgain() {
  again ||= window.setTimeout(readNow, AGAIN)
}

function readNow() {
  clearTimeout(again)
  again = 0
  hear({ name: 'reset', data: {} })
}

function hear({ name, data }: Told) {
  for (const ear of [...ears]) if (!ear.campaign || !data.campaign || data.campaign === ear.campaign) ear.handlers[name]?.(data)
}

function tune(anew = false, ...fresh: string[]) {
  const campaigns = away ? [] : [...new Set([...ears].map((ear) => ear.campaign))]
  const names = [...new Set([...ears].flatMap((ear) => Object.keys(ear.handlers)))]
  const wish = { campaigns, names, fresh: anew ? campaigns : fresh }
  if (port) return port.postMessage(wish)
  own ??= new Line()
  if (campaigns.length) own.join(ears, wish, hear)
  else own.leave(ears)
}

function leave() {
  away = true
  tune()
}

function comeBack() {
  if (!away) return
  away = false
  tune(true)
  hear({ name: 'reset', data: {} })
}

// A tab nobody looks at listens no more after a while, and reads what it missed when one comes back to it.
document.addEventListener('visibilitychange', () => {
  clearTimeout(asleep)
  if (document.hidden) asleep = window.setTimeout(leave, DOZE)
  else comeBack()
})
window.addEventListener('pagehide', leave)
window.addEventListener('pageshow', comeBack)
window.addEventListener('online', () => again && readNow())
