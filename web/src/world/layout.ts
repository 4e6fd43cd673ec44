// Places the nodes of a graph by springs and repulsion: always the same for the same world.
export interface Node {
  id: string
  name: string
  kind: string
  /** As a screen reader says it, where the name is not enough. */
  said?: string
  /** Named, but nothing is known of it. */
  stub?: boolean
}

export interface Tie {
  a: string
  b: string
  label: string
  tone: string
}

export interface Spot {
  id: string
  x: number
  y: number
}

export function place(ids: string[], relations: { a: string; b: string }[], width: number, height: number, tight = false): Map<string, Spot> {
  const spots = ids.map((id, index): Spot => {
    const angle = index * 2.39996 // the golden angle spreads them evenly
    const far = 0.42 * Math.sqrt((index + 0.5) / ids.length)
    return { id, x: width * (0.5 + far * Math.cos(angle)), y: height * (0.5 + far * Math.sin(angle)) }
  })
  const by = new Map(spots.map((spot) => [spot.id, spot]))
  const ties = relations.filter((tie) => by.has(tie.a) && by.has(tie.b) && tie.a !== tie.b)
  const hub = tight || ids.length > 12 ? undefined : spots.find((spot) => spots.every((other) => other === spot || ties.some((tie) => [tie.a, tie.b].includes(spot.id) && [tie.a, tie.b].includes(other.id))))
  if (hub && ids.length > 2) {
    around(hub, spots, width, height)
    return by
  }
  const ideal = Math.min(190, 0.85 * Math.sqrt((width * height) / Math.max(1, ids.length)))
  for (let heat = 1; heat > 0.01; heat *= 0.975) {
    const push = new Map(spots.map((spot) => [spot.id, { x: (width / 2 - spot.x) * (tight ? 0.035 : 0.02), y: (height / 2 - spot.y) * (tight ? 0.05 : 0.04) }]))
    for (let i = 0; i < spots.length; i++)
      for (let j = i + 1; j < spots.length; j++) {
        const [a, b] = [spots[i], spots[j]]
        const [dx, dy] = [a.x - b.x || 0.1, a.y - b.y || 0.1]
        // Where many leaves hang on few stems, far ones must not drive each other to the border.
        if (tight && Math.hypot(dx, dy) > ideal * 1.6) continue
        const force = (ideal * ideal) / Math.max(60, dx * dx + dy * dy)
        push.get(a.id)!.x += dx * force * 0.3
        push.get(a.id)!.y += dy * force * 0.3
        push.get(b.id)!.x -= dx * force * 0.3
        push.get(b.id)!.y -= dy * force * 0.3
      }
    for (const tie of ties) {
      const [a, b] = [by.get(tie.a)!, by.get(tie.b)!]
      const [dx, dy] = [b.x - a.x, b.y - a.y]
      const far = Math.hypot(dx, dy) || 1
      const pull = ((far - ideal * (tight ? 0.7 : 0.8)) / far) * (tight ? 0.2 : 0.12)
      push.get(a.id)!.x += dx * pull
      push.get(a.id)!.y += dy * pull
      push.get(b.id)!.x -= dx * pull
      push.get(b.id)!.y -= dy * pull
    }
    for (const spot of spots) {
      const { x, y } = push.get(spot.id)!
      const step = Math.min(1, (40 * heat) / (Math.hypot(x, y) || 1))
      spot.x = Math.min(width - 70, Math.max(70, spot.x + x * step))
      spot.y = Math.min(height - 34, Math.max(26, spot.y + y * step))
    }
  }
  part(spots, width, height)
  return by
}

/** Everyone is tied to one: that one in the middle, the others round about. */
function around(hub: Spot, spots: Spot[], width: number, height: number) {
  const others = spots.filter((spot) => spot !== hub)
  for (const [index, spot] of others.entries()) {
    // The first straight up, or two beside it: straight down is where the name in the middle stands.
    const angle = 2 * Math.PI * ((index + (others.length % 2 ? 0 : 0.5)) / others.length - 0.25)
    spot.x = width / 2 + Math.min(330, width / 2 - 74) * Math.cos(angle)
    spot.y = height / 2 - 6 + (height / 2 - 44) * Math.sin(angle)
  }
  hub.x = width / 2
  hub.y = height / 2 - 6
}

/** Moves things apart whose names would lie on each other. */
function part(spots: Spot[], width: number, height: number) {
  for (let round = 0; round < 80; round++) {
    let moved = false
    for (let i = 0; i < spots.length; i++)
      for (let j = i + 1; j < spots.length; j++) {
        const [a, b] = [spots[i], spots[j]]
        const [dx, dy] = [b.x - a.x, b.y - a.y]
        const [over, under] = [118 - Math.abs(dx), 40 - Math.abs(dy)]
        if (over <= 0 || under <= 0) continue
        moved = true
        const sideways = over < under
        const step = (sideways ? over : under) / 2 + 0.5
        const way = (sideways ? dx : dy) < 0 ? -1 : 1
        for (const [spot, sign] of [[a, -way], [b, way]] as [Spot, number][]) {
          if (sideways) spot.x = Math.min(width - 70, Math.max(70, spot.x + sign * step))
          else spot.y = Math.min(height - 34, Math.max(26, spot.y + sign * step))
        }
      }
    if (!moved) return
  }
}
