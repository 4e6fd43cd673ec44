// Whatever somebody drops or chooses, anywhere: it is looked at, not asked about, and a book is handed on to the library.
import { sentence, upload } from './api'
import { notice } from './notice.svelte'
import { go, href } from './route.svelte'

export interface Brought {
  kind: string
  id: string
  counts: Record<string, number>
  warnings: string[]
}
export const KINDS: Record<string, string> = { campaign: 'a story', pack: 'a pack', lorebook: 'a lorebook', vault: 'a vault of notes', card: 'a character card', character: 'a character sheet', rulebook: 'a rulebook', chat: 'a chat' }

class Bring {
  busy = $state(false)
  done = $state.raw<Brought[]>([])
  /** A book on its way to the library's door. */
  book = $state.raw<File | null>(null)

  async take(files: FileList | File[] | null | undefined) {
    if (this.busy) return
    this.busy = true
    for (const file of files ?? []) {
      if (/\.pdf$/i.test(file.name) || file.type === 'application/pdf') {
        this.book = file
        go('library')
        continue
      }
      try {
        const found = await upload<Brought>('/import', file)
        this.done = [...this.done, found]
        notice.tell(`${file.name} is ${KINDS[found.kind] ?? found.kind}; it is here now.`)
      } catch (wrong) {
        notice.tell(sentence(wrong), true)
      }
    }
    this.busy = false
  }
}

export const bring = new Bring()

/** Where one looks at what came. */
export function placeOf({ kind, id }: Brought): string {
  if (kind === 'campaign') return href('table', id)
  if (kind === 'character') return href('sheet', id)
  return href('packs')
}
