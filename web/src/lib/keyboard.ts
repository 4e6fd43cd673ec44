// The height one really sees: a phone's keyboard covers the page without telling the layout, in some browsers.
const KEYBOARD = 80 // what bars of a browser take is less

export function followKeyboard() {
  const seen = window.visualViewport
  if (!seen) return
  const sheet = new CSSStyleSheet() // a style attribute is more than our policy allows
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  const measure = () => sheet.replaceSync(innerHeight - seen.height > KEYBOARD && seen.scale === 1 ? `:root { --seen: ${Math.round(seen.height)}px }` : '')
  seen.addEventListener('resize', measure)
}
