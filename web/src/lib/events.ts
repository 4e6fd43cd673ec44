// What happens on the server, over one line for the whole tab (a browser has six for all tabs). A table listens to its own
// story; while another screen listens too, the line carries everything, and each hears what is meant for it.
interface Ear {
  campaign: string
  handlers: Record<string, (data: any) => void>
}

const ears = new Set<Ear>()
let line: EventSource | null = null
let address = ''
let heard = ''
let known = new Set<string>()
let asleep = 0
const DOZE = 30_000

// A tab nobody looks at gives its line back after a while, and catches up when one comes back to it.
document.addEventListener('visibilitychange', () => {
  clearTimeout(asleep)
  if (!document.hidden) return tune()
  asleep = window.setTimeout(() => {
    line?.close()
    line = null
    address = ''
  }, DOZE)
})

/** `open` and `error` are heard when the line is made or lost, all else as the server names it. Gives what ends it. */
export function listen(handlers: Ear['handlers'], campaign = ''): () => void {
  const ear = { campaign, handlers }
  ears.add(ear)
  // Whoever sits down in the middle of a turn is told what was said so far, which only a new line does.
  if (campaign) heard = ''
  tune(!!campaign)
  return () => {
    ears.delete(ear)
    tune()
  }
}

function tune(anew = false) {
  const tables = new Set([...ears].map((ear) => ear.campaign))
  const [only] = tables
  const wanted = !ears.size ? '' : tables.size === 1 && only ? `/api/events?campaign=${encodeURIComponent(only)}` : '/api/events'
  if (wanted !== address || anew) {
    line?.close()
    known = new Set()
    address = wanted
    line = wanted ? new EventSource(heard ? `${wanted}${wanted.includes('?') ? '&' : '?'}after=${encodeURIComponent(heard)}` : wanted) : null
    if (!line) heard = ''
  }
  for (const ear of ears) for (const name of Object.keys(ear.handlers)) follow(name)
}

function follow(name: string) {
  if (!line || known.has(name)) return
  known.add(name)
  const mine = line
  line.addEventListener(name, (event) => {
    if (mine !== line) return
    const { data = '{}', lastEventId = '' } = event as MessageEvent
    if (lastEventId) heard = lastEventId
    const told = JSON.parse(data || '{}')
    for (const ear of [...ears]) if (!ear.campaign || !told.campaign || told.campaign === ear.campaign) ear.handlers[name]?.(told)
  })
}
