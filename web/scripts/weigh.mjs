// Prints what the first view weighs over the wire, and fails above the limit we promised.
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

const LIMIT = 70 * 1024
const built = new URL('../../src/freeform/apps/web/static/', import.meta.url)
const page = readFileSync(new URL('index.html', built), 'utf8')
const first = [...page.matchAll(/(?:src|href)="\.?\/([^"]+\.(?:js|css))"/g)].map((match) => match[1])
const sizes = first.map((name) => [name, gzipSync(readFileSync(new URL(name, built))).length])
const total = sizes.reduce((sum, [, size]) => sum + size, 0)
for (const [name, size] of sizes) console.log(`${(size / 1024).toFixed(1).padStart(7)} KB  ${name}`)
console.log(`${(total / 1024).toFixed(1).padStart(7)} KB  first view, gzipped (limit ${LIMIT / 1024} KB)`)
if (total > LIMIT) process.exit(1)
