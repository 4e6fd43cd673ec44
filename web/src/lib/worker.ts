// Runs once for all tabs and holds their one line to the server; each tab says over its port what it listens to.
import { Line, type Told } from './line'

const line = new Line()

self.addEventListener('connect', (event) => {
  const port = (event as MessageEvent).ports[0]
  port.onmessage = ({ data }) => {
    if (data.campaigns.length) line.join(port, data, (told: Told) => port.postMessage(told))
    else line.leave(port)
  }
})
