// Runs before the first paint, so that a chosen theme or text size does not flash.
try {
  const root = document.documentElement
  const chosen = localStorage.getItem('theme')
  if (chosen) root.dataset.theme = chosen
  for (const key of ['size', 'measure', 'face']) {
    const value = localStorage.getItem(`look:${key}`)
    if (value) root.dataset[key] = value
  }
} catch {
  // Storage is off: the system's preference holds.
}
