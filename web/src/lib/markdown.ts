// Markdown as data: blocks and spans. Nothing a model or a book writes ever becomes markup.
import { curly } from './prose'

export type Inline = { as: 'plain' | 'strong' | 'emphasis' | 'code'; text: string } | { as: 'cite'; text: string; n: number }
export type Block =
  | { as: 'heading'; level: number; spans: Inline[] }
  | { as: 'paragraph' | 'quote'; spans: Inline[] }
  | { as: 'list'; ordered: boolean; items: Inline[][] }
  | { as: 'table'; head: Inline[][]; rows: Inline[][][] }
  | { as: 'code'; text: string }

const INLINE = /(\*\*[^*\n]+\*\*|`[^`\n]+`|\[\d+(?:,\s*\d+)*\]|\*[^*\n]+\*|_[^_\n]+_(?!\w))/g

export function inline(text: string): Inline[] {
  return text
    .split(INLINE)
    .filter(Boolean)
    .flatMap((part): Inline[] => {
      if (/^\[\d/.test(part)) return part.slice(1, -1).split(',').map((n) => ({ as: 'cite', text: n.trim(), n: Number(n) }))
      if (/^\*\*.+\*\*$/.test(part)) return [{ as: 'strong', text: curly(part.slice(2, -2)) }]
      if (/^`.+`$/.test(part)) return [{ as: 'code', text: part.slice(1, -1) }]
      if (/^[*_].+[*_]$/.test(part)) return [{ as: 'emphasis', text: curly(part.slice(1, -1)) }]
      return [{ as: 'plain', text: curly(part) }]
    })
}

const cells = (line: string) => line.trim().replace(/^\||\|$/g, '').split('|').map((cell) => inline(cell.trim()))
const BULLET = /^\s*(?:[-*+]|(\d{1,3})[.)])\s+(.*)$/

export function blocks(text: string): Block[] {
  const found: Block[] = []
  const lines = text.replace(/\r/g, '').split('\n')
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]
    const bullet = BULLET.exec(line)
    if (!line.trim()) continue
    if (line.startsWith('```')) {
      const end = lines.findIndex((other, index) => index > at && other.startsWith('```'))
      const last = end < 0 ? lines.length : end
      found.push({ as: 'code', text: lines.slice(at + 1, last).join('\n') })
      at = last
    } else if (/^#{1,6}\s/.test(line)) {
      found.push({ as: 'heading', level: line.indexOf(' '), spans: inline(line.replace(/^#+\s*/, '')) })
    } else if (line.trim().startsWith('|') && /^[\s|:-]+$/.test(lines[at + 1] ?? '') && (lines[at + 1] ?? '').includes('-')) {
      const rows = []
      let next = at + 2
      for (; next < lines.length && lines[next].trim().startsWith('|'); next++) rows.push(cells(lines[next]))
      found.push({ as: 'table', head: cells(line), rows })
      at = next - 1
    } else if (bullet) {
      const items = [inline(bullet[2])]
      let next = at + 1
      for (; next < lines.length; next++) {
        const more = BULLET.exec(lines[next])
        if (!more) break
        items.push(inline(more[2]))
      }
      found.push({ as: 'list', ordered: !!bullet[1], items })
      at = next - 1
    } else {
      const quoted = line.startsWith('>')
      const part = [line]
      let next = at + 1
      for (; next < lines.length && lines[next].trim() && lines[next].startsWith('>') === quoted && !/^(#{1,6}\s|```|\s*\|)/.test(lines[next]) && !BULLET.test(lines[next]); next++) part.push(lines[next])
      found.push({ as: quoted ? 'quote' : 'paragraph', spans: inline(part.map((each) => each.replace(/^>\s?/, '')).join(' ')) })
      at = next - 1
    }
  }
  return found
}
