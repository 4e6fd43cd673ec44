// Fails when package-lock.json names where a package was downloaded from, or lacks its hash.
import { readFileSync } from 'node:fs'

const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'))
const packages = Object.entries(lock.packages).filter(([name]) => name)
const wrong = packages.filter(([, entry]) => entry.resolved || !entry.integrity).map(([name]) => name)
if (wrong.length) {
  console.error(`package-lock.json: take out "resolved" (npm install --omit-lockfile-registry-resolved) of ${wrong.join(', ')}`)
  process.exit(1)
}
