// Light or dark: the system's wish until someone chooses.
const dark = matchMedia('(prefers-color-scheme: dark)')

class Theme {
  chosen = $state(document.documentElement.dataset.theme ?? '')
  system = $state(dark.matches ? 'dark' : 'light')
  /** The kind of story that the page one looks at is about: it brings its own colours. */
  genre = $state('')

  constructor() {
    dark.addEventListener('change', () => (this.system = dark.matches ? 'dark' : 'light'))
  }

  get now() {
    return this.chosen || this.system
  }

  toggle() {
    const other = this.now === 'dark' ? 'light' : 'dark'
    this.chosen = other === this.system ? '' : other
    if (this.chosen) document.documentElement.dataset.theme = this.chosen
    else delete document.documentElement.dataset.theme
    try {
      if (this.chosen) localStorage.setItem('theme', this.chosen)
      else localStorage.removeItem('theme')
    } catch {
      // Storage is off: the choice lasts until the tab closes.
    }
  }
}

export const theme = new Theme()
