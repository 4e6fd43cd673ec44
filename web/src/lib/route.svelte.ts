// Where we are, kept after the # of the address so that reload and Back work.
class Route {
  screen = $state('')
  campaign = $state('')
  part = $state('')

  constructor() {
    this.read()
    addEventListener('hashchange', () => this.read())
  }

  private read() {
    const [, screen = '', campaign = '', part = ''] = location.hash.split('/').map(decodeURIComponent)
    this.screen = screen
    this.campaign = campaign
    this.part = part
  }
}

export const route = new Route()

export const href = (screen: string, campaign = '', part = '') =>
  '#/' + [screen, campaign, part].filter(Boolean).map(encodeURIComponent).join('/')

export function go(screen: string, campaign = '', part = '') {
  location.hash = href(screen, campaign, part)
}
