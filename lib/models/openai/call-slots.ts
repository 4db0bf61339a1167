/**
 * Assembles the calls of a Chat Completions answer, whose deltas identify their call by index, by id,
 * by position or not at all.
 */
import { isObject, type JsonObject, type JsonValue } from '#lib/spec/json'
import { JsonScan } from '#lib/spec/json-scan'
import type { ChunkBuffer } from '../wire/chunk-buffer'
import { objectIn, textIn } from '../wire/json'

interface Slot {
  readonly index: number
  readonly scan: JsonScan
  id: string
  name: string
  /** Arguments that arrived before the call could be started: its id and name may arrive separately. */
  held: string
  isStarted: boolean
  isEnded: boolean
  /** The name has arrived again, so a second call of the same name may follow. */
  isAgain: boolean
  /** Data that the service wants back with the call. */
  extra?: JsonValue
}

interface Delta {
  readonly id: string
  readonly name: string
  readonly args: string
  readonly extra: JsonValue | undefined
}

interface Where {
  readonly index: number | undefined
  /** Whether it is the only call of its delta. */
  readonly isAlone: boolean
}

export class CallSlots {
  readonly #out: ChunkBuffer
  readonly #slots: Slot[] = []
  readonly #byIndex = new Map<number, Slot>()
  readonly #byId = new Map<string, Slot>()
  #last: Slot | undefined

  constructor(out: ChunkBuffer) {
    this.#out = out
  }

  get count(): number {
    return this.#slots.length
  }

  /** The `tool_calls` of one delta. */
  take(items: readonly JsonValue[]): void {
    for (const item of items) {
      if (!isObject(item)) continue
      const index = typeof item.index === 'number' ? item.index : undefined
      // Without an index, several calls in one delta are separate calls; a single one
      // continues the last call.
      this.#delta(deltaOf(item, objectIn(item, 'function')), { index, isAlone: items.length === 1 })
    }
  }

  /** The only call of the older `function_call`. */
  takeLegacy(item: JsonObject): void {
    this.#delta(deltaOf({}, item), { index: undefined, isAlone: true })
  }

  /** No more deltas will arrive: every call is complete or stays incomplete. */
  close(): void {
    for (const slot of this.#slots) this.#start(slot)
    for (const slot of this.#slots) this.#end(slot)
  }

  /** For each call, the data to send back with it; empty if there is none. */
  extras(): JsonValue[] {
    if (this.#slots.every((each) => each.extra === undefined)) return []
    return this.#slots.map((each) => each.extra ?? null)
  }

  #delta(delta: Delta, at: Where): void {
    const found = this.#find(delta, at)
    const isNew = found === undefined || startsAnew(found, delta)
    const slot = isNew ? this.#open(delta.name || (found?.name ?? '')) : found
    if (at.index !== undefined) this.#byIndex.set(at.index, slot)
    if (this.#last !== slot) this.#leave(this.#last)
    this.#last = slot
    if (!isNew) this.#named(slot, delta)
    if (delta.id !== '' && slot.id === '') slot.id = delta.id
    if (slot.id !== '') this.#byId.set(slot.id, slot)
    // Copied, because the parsed value is valid only until the next event.
    if (delta.extra !== undefined) slot.extra = structuredClone(delta.extra)
    this.#args(slot, delta.args)
  }

  #find({ id, name }: Delta, { index, isAlone }: Where): Slot | undefined {
    if (index !== undefined) return this.#byIndex.get(index)
    const last = isAlone ? this.#last : undefined
    if (id === '') return last
    // An id may arrive after the name of its call.
    return this.#byId.get(id) ?? (last?.id === '' && name === '' ? last : undefined)
  }

  #open(name: string): Slot {
    const slot: Slot = {
      index: this.#slots.length,
      scan: new JsonScan(),
      id: '',
      name,
      held: '',
      isStarted: false,
      isEnded: false,
      isAgain: false,
    }
    this.#slots.push(slot)
    return slot
  }

  #named(slot: Slot, { id, name, args }: Delta): void {
    if (name === '') return
    if (slot.name === '') slot.name = name
    else if (!slot.isStarted && slot.held === '' && name !== slot.name)
      slot.name = name.startsWith(slot.name) ? name : slot.name + name
    else if (slot.scan.isWhole && args === '' && (id === '' || id === slot.id)) slot.isAgain = true
  }

  #args(slot: Slot, text: string): void {
    if (text === '') return
    slot.scan.push(text)
    if (slot.isStarted) this.#out.callArgs(slot.index, text)
    else {
      slot.held += text
      if (slot.name !== '') this.#start(slot)
    }
  }

  /** Another call has started, so a complete call will not grow any more. */
  #leave(slot: Slot | undefined): void {
    if (slot === undefined || slot.name === '') return
    this.#start(slot)
    if (slot.scan.isWhole) this.#end(slot)
  }

  #end(slot: Slot): void {
    if (slot.isEnded) return
    slot.isEnded = true
    this.#out.callEnd(slot.index)
  }

  #start(slot: Slot): void {
    if (slot.isStarted) return
    slot.isStarted = true
    this.#out.callStart(slot.index, slot.name, slot.id === '' ? undefined : slot.id)
    this.#out.callArgs(slot.index, slot.held)
    slot.held = ''
  }
}

/** Whether a delta for this call must belong to a new one: services reuse indexes and ids. */
function startsAnew(slot: Slot, { id, name, args }: Delta): boolean {
  if (slot.name === '') return false
  const isOtherId = id !== '' && slot.id !== '' && id !== slot.id
  if (slot.scan.isEmpty)
    return name !== '' && (isOtherId || (name !== slot.name && slot.id === '' && id === ''))
  if (!slot.scan.isWhole) return false
  if (name !== '' && (isOtherId || name !== slot.name)) return true
  return (name !== '' || slot.isAgain) && args.trimStart().startsWith('{')
}

function deltaOf(item: JsonObject, called: JsonObject): Delta {
  const args = called.arguments
  return {
    id: textIn(item, 'id'),
    name: textIn(called, 'name'),
    args: typeof args === 'string' ? args : isObject(args) ? JSON.stringify(args) : '',
    extra: item.extra_content,
  }
}
