// Prints what the two first views weigh over the wire, home and a table, and fails above the limit we promised.
import { readFileSync, rmSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

const LIMIT = 66 * 1024
const VIEWS = { home: ['index.html', 'src/screens/Home.svelte'], table: ['index.html', 'src/screens/Table.svelte'] }
const built = new URL('../../src/freeform/apps/web/static/', import.meta.url)
const made = JSON.parse(readFileSync(new URL('.vite/manifest.json', built), 'utf8'))

/** Every script and style that a part fetches with itself, whatever else fetches it too. */
function fetched(name, seen = new Set()) {
  const part = made[name]
  if (seen.has(part.file)) return seen
  seen.add(part.file)
  for (const style of part.css ?? []) seen.add(style)
  for (const other of part.imports ?? []) fetched(other, seen)
  return seen
}

const sizeOf = (name) => gzipSync(readFileSync(new URL(name, built))).length
let tooMuch = false
for (const [view, parts] of Object.entries(VIEWS)) {
  const names = new Set(['theme.js', ...parts.flatMap((part) => [...fetched(part)])])
  const total = [...names].reduce((sum, name) => sum + sizeOf(name), 0)
  console.log(`${(total / 1024).toFixed(1).padStart(7)} KB  ${view} as the first view, gzipped, in ${names.size} files (limit ${LIMIT / 1024} KB)`)
  tooMuch ||= total > LIMIT
}
rmSync(new URL('.vite', built), { recursive: true }) // nobody else reads it
if (tooMuch) process.exit(1)
