// Where each place lies: ELK's layered layout, in a worker of its own, so that three hundred places do not hold up the page.
import ELK from 'elkjs/lib/elk-api.js'
import workerUrl from 'elkjs/lib/elk-worker.min.js?url'
import { drawsOf } from '../lib/seed'
import type { Laid, Place, Road, Spot } from './types'

const WIDE = 132
const HIGH = 92
const elk = new ELK({ workerUrl }) // begins to load at once, while the server is asked what there is to draw

const MANY = 60

/** Laid out from left to right or from top to bottom, whichever fills a sheet of that shape better; a large map is tried once. */
export async function lay(places: Place[], roads: Road[], shape: number): Promise<Laid> {
  const across = await layOut(places, roads, 'RIGHT', shape)
  if (places.length > MANY) return across
  const down = await layOut(places, roads, 'DOWN', shape)
  const fit = (laid: Laid) => Math.min(shape / laid.width, 1 / laid.height)
  return fit(down) > fit(across) ? down : across
}

async function layOut(places: Place[], roads: Road[], direction: 'RIGHT' | 'DOWN', shape: number): Promise<Laid> {
  const graph = await elk.layout({
    id: 'map',
    layoutOptions: {
      'elk.algorithm': 'layered',
      'elk.direction': direction,
      'elk.edgeRouting': 'POLYLINE',
      'elk.spacing.nodeNode': '22',
      'elk.layered.spacing.nodeNodeBetweenLayers': '46',
      'elk.spacing.componentComponent': '36',
      'elk.padding': '[top=40,left=30,bottom=36,right=30]',
      'elk.aspectRatio': String(shape),
      'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
    },
    children: places.map((place) => ({ id: place.id, width: WIDE, height: HIGH })),
    edges: roads.map((road, index) => ({ id: `road${index}`, sources: [road.a], targets: [road.b] })),
  })
  const spots = new Map<string, Spot>()
  for (const node of graph.children ?? []) {
    // A hand is never exact: each place lies a little off its line, always the same way.
    const draw = drawsOf(`place\u0000${node.id}`)
    spots.set(node.id, { x: node.x! + WIDE / 2 + (draw() - 0.5) * 22, y: node.y! + HIGH / 2 - 10 + (draw() - 0.5) * 20 })
  }
  const laid = roads.map((road, index) => {
    const bends = graph.edges?.[index]?.sections?.[0]?.bendPoints ?? []
    return { road, points: [spots.get(road.a)!, ...bends.map(({ x, y }) => ({ x, y })), spots.get(road.b)!] }
  })
  return { width: graph.width ?? 400, height: graph.height ?? 300, spots, roads: laid }
}
