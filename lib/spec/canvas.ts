/** The part of a config that says how its drawing looks, and what is drawn without being in effect. */
import { z } from 'zod'
import { atMost, jsonObject } from './json'

/** The most positions, notes and parked entries in `canvas`; `mostDrawn` limits the drawing itself. */
const mostPlaces = 5_000
const mostNotes = 200
const mostParked = 2_000
const mostWires = 10_000

/**
 * The name of a node in `canvas`: `agent`, `model`, `protocol`, `tools/0`, `policies/3`, `groups/0`, `skills/0`,
 * `parked/0`.
 */
export const entryPath = z
  .string()
  .regex(
    /^(agent|model|protocol|output|(tools|policies|groups|skills|parked)\/(0|[1-9][0-9]*))$/,
    'a path such as "agent" or "tools/0"',
  )
export const position = z.tuple([z.int(), z.int()])

export const note = z.strictObject({ text: z.string().max(10_000), at: position, size: position.optional() })
export type Note = z.infer<typeof note>

/** A box around nodes, with a title. Moving it moves the nodes inside it. */
export const frame = z.strictObject({ title: z.string().max(200), at: position, size: position })

/** A name that a person gave to a card. */
export const nodeTitle = z.string().min(1).max(200)

export const look = z.strictObject({
  frames: z.array(frame).max(100).default([]),
  titles: atMost(z.record(entryPath, nodeTitle), mostPlaces).default({}),
})

export const parked = z.strictObject({
  kind: z.string().min(1).max(64),
  /** Kept as it is, whatever it holds. */
  config: jsonObject,
  at: position.optional(),
  why: z.enum(['unwired', 'disabled']),
  wires: z
    .array(z.strictObject({ from: entryPath, to: entryPath }))
    .max(mostWires)
    .default([]),
})
export type Parked = z.infer<typeof parked>

export const canvas = z.strictObject({
  at: atMost(z.record(entryPath, position), mostPlaces).default({}),
  look: look.default({ frames: [], titles: {} }),
  notes: z.array(note).max(mostNotes).default([]),
  parked: z.array(parked).max(mostParked).default([]),
})
export type Canvas = z.infer<typeof canvas>
