// Asks the server; every failure becomes one plain sentence.
import type { Json } from './types'

export class ApiError extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly kind: string,
  ) {
    super(message)
  }
}

/** A name nobody else has. (`crypto.randomUUID` is missing on plain http in a home network.) */
export function newId(prefix: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(8))
  return `${prefix}_${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

async function answer<T>(request: Promise<Response>): Promise<T> {
  let response: Response
  try {
    response = await request
  } catch {
    throw new ApiError('The server does not answer. Is it still running?', 0, 'unavailable')
  }
  const body = await response.json().catch(() => null)
  if (response.ok && body !== null) return body as T
  if (response.ok) return {} as T
  if (response.status === 401 && body?.kind !== 'gone') location.assign('/login')
  const said = body && typeof body.error === 'string' ? body.error : `The server said ${response.status}.`
  throw new ApiError(said, response.status, body?.kind ?? '')
}

export const get = <T>(path: string, signal?: AbortSignal) => answer<T>(fetch(`/api${path}`, { signal }))

export const post = <T>(path: string, body: Json = {}, key = newId('web')) =>
  answer<T>(
    fetch(`/api${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
      body: JSON.stringify(body),
    }),
  )

export const upload = <T>(path: string, file: File, fields: Record<string, string> = {}) => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', file)
  return answer<T>(fetch(`/api${path}`, { method: 'POST', headers: { 'Idempotency-Key': newId('web') }, body: form }))
}

export const remove = <T>(path: string) =>
  answer<T>(fetch(`/api${path}`, { method: 'DELETE', headers: { 'Idempotency-Key': newId('web') } }))

/** No answer came: whether the server has it, nobody knows. */
export const isLost = (error: unknown) => error instanceof ApiError && !error.status

export const sentence = (error: unknown) => (error instanceof Error ? error.message : String(error))
