// Runs before the first paint, so that a chosen theme does not flash.
try {
  const chosen = localStorage.getItem('theme')
  if (chosen) document.documentElement.dataset.theme = chosen
} catch {
  // Storage is off: the system's preference holds.
}
