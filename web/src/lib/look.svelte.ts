// How one likes to read: size of the text, length of a line, face of the letters. Kept in this browser; theme.js sets it before the first paint.
type Key = 'size' | 'measure' | 'face'
const root = document.documentElement

export const CHOICES: Record<Key, { name: string; options: [string, string][] }> = {
  size: { name: 'Text size', options: [['small', 'Small'], ['', 'Normal'], ['large', 'Large'], ['larger', 'Larger']] },
  measure: { name: 'Line width', options: [['narrow', 'Narrow'], ['', 'Normal'], ['wide', 'Wide']] },
  face: { name: 'Letters', options: [['', 'Book (Literata)'], ['plain', 'Plain (Alegreya Sans)'], ['system', 'Your system’s own']] },
}

class Look {
  size = $state(root.dataset.size ?? '')
  measure = $state(root.dataset.measure ?? '')
  face = $state(root.dataset.face ?? '')

  set(key: Key, value: string) {
    this[key] = value
    if (value) root.dataset[key] = value
    else delete root.dataset[key]
    try {
      if (value) localStorage.setItem(`look:${key}`, value)
      else localStorage.removeItem(`look:${key}`)
    } catch {
      // Storage is off: the choice lasts until the tab closes.
    }
  }
}

export const look = new Look()
