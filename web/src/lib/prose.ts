// Cuts prose into paragraphs and finds speech and emphasis, as data: nothing a model writes becomes markup.
export interface Span {
  text: string
  as: 'plain' | 'speech' | 'emphasis' | 'strong'
}

const MARKED = /(\u201c[^\u201d]*\u201d?|"[^"\n]*"?|\*\*[^*\n]+\*\*|\*[^*\n]+\*|_[^_\n]+_(?!\w))/g

export function spans(paragraph: string): Span[] {
  return paragraph
    .split(MARKED)
    .filter(Boolean)
    .map((text): Span => {
      if (/^["\u201c]/.test(text)) return { text: curly(text), as: 'speech' }
      if (/^\*\*.+\*\*$/.test(text)) return { text: text.slice(2, -2), as: 'strong' }
      if (/^[*_].+[*_]$/.test(text)) return { text: text.slice(1, -1), as: 'emphasis' }
      return { text: curly(text), as: 'plain' }
    })
}

export const paragraphs = (text: string) => text.split(/\n+/).filter((line) => line.trim())

/** Straight quotation marks as a printer sets them. */
export function curly(text: string): string {
  return text
    .replace(/(^|[\s(\u2014-])"/g, '$1\u201c')
    .replace(/"/g, '\u201d')
    .replace(/(^|[\s(\u2014\u201c-])'/g, '$1\u2018')
    .replace(/'/g, '\u2019')
}

/** The whole sentences of a growing text: what a screen reader is told so far. */
export function wholeSentences(text: string): string {
  const end = Math.max(...['. ', '! ', '? ', '.\u201d ', '." ', '\n'].map((stop) => text.lastIndexOf(stop)))
  return end < 0 ? '' : text.slice(0, end + 1)
}

/** A name as a heading or a line begins with it. */
export const capital = (name: string) => curly(name.charAt(0).toUpperCase() + name.slice(1))
