// What happens on the server outside a table: questions, books, parties, worlds. One line for as long as a screen is open.
export function listen(handlers: Record<string, (data: any) => void>): () => void {
  const stream = new EventSource('/api/events')
  for (const [name, act] of Object.entries(handlers)) {
    stream.addEventListener(name, (event) => act(JSON.parse((event as MessageEvent).data || '{}')))
  }
  return () => stream.close()
}
