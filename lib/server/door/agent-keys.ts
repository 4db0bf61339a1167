/** Agent keys: made, listed and revoked by the operator, and checked at the door for every request that brings one. */
import { randomBytes } from 'node:crypto'
import { storeFault } from '#db/fault'
import type { AgentKeyRow, KeyAccess, KeyUse } from '#lib/spec/agent-key'
import { AppError, type Result } from '#lib/spec/errors'
import type { Stores } from '#lib/spec/store'
import type { AgentKeyList, AgentKeyView, CreateAgentKey, NewAgentKey } from '#lib/wire/agent-keys'
import { createRequestLimit, dayOf } from './key-limits'
import { hashOfKey, newKeyText } from './key-text'

/** Expected failures are thrown as AppError. */
export interface AgentKeys {
  list(agentId: string): AgentKeyList
  create(agentId: string, body: CreateAgentKey): NewAgentKey
  /** The key stops working at once; its threads and runs stay. */
  revoke(agentId: string, id: string): void
  /** The key with this text; otherwise one sentence on why it does not count. */
  find(text: string): Result<AgentKeyRow, string>
  /**
   * Lets a request of a key in, or throws. The request counts toward the key's limit in any case.
   * @param access what keys may do with the route; undefined where they may do nothing
   * @param subject the first parameter of the path
   */
  enter(key: AgentKeyRow, access: KeyAccess | undefined, subject: string | undefined): void
  /** Whether the agent has a working key of this use. */
  has(agentId: string, use: KeyUse): boolean
}

/** The most keys of one agent. */
const mostKeys = 200
const usualRequestsPerMinute = 120
/** The last use is noted at most this often, ms. */
const noteEvery = 60_000

interface KeysContext {
  readonly stores: Stores
  readonly clock: { now(): number; monotonic(): number }
}

export function createAgentKeys({ stores, clock }: KeysContext): AgentKeys {
  const { keys } = stores
  const countRequest = createRequestLimit(clock)
  const works = ({ expiresAt }: AgentKeyRow) => expiresAt === null || clock.now() < expiresAt
  const view = (row: AgentKeyRow) => toView(row, keys.spendSince(row.id, dayOf(clock.now())))
  return {
    list: (agentId) => {
      agentOf(stores, agentId)
      return { items: keys.ofAgent(agentId).map(view) }
    },
    create: (agentId, body) => {
      agentOf(stores, agentId)
      if (body.expiresAt !== undefined && body.expiresAt <= clock.now())
        throw new AppError('bad_request', 'The time at which the key expires has passed.', {
          path: 'expiresAt',
        })
      if (keys.ofAgent(agentId).length >= mostKeys)
        throw new AppError('conflict', `The agent has ${mostKeys} keys. Revoke one first.`)
      const { row, text } = newKey(agentId, body, clock.now())
      keys.insert(row)
      return { ...view(row), key: text }
    },
    revoke: (agentId, id) => {
      if (!keys.remove(agentId, id)) throw new AppError('not_found', 'There is no such key.')
    },
    find: (text) => {
      const row = keys.byHash(hashOfKey(text))
      if (row === undefined)
        return { ok: false, error: 'This agent key is not known; it may have been revoked.' }
      return works(row) ? { ok: true, value: row } : { ok: false, error: 'This agent key has expired.' }
    },
    enter: (key, access, subject) => {
      countRequest(key)
      noteUse(stores, key, clock.now())
      if (access === undefined || !access.uses.includes(key.use)) throw refusalOf(key, access)
      checkReach(stores, key, access.reach, subject ?? '')
    },
    has: (agentId, use) => keys.ofAgent(agentId).some((row) => row.use === use && works(row)),
  }
}

function newKey(
  agentId: string,
  body: CreateAgentKey,
  createdAt: number,
): { row: AgentKeyRow; text: string } {
  const text = newKeyText()
  const row: AgentKeyRow = {
    id: `key_${randomBytes(10).toString('hex')}`,
    agentId,
    name: body.name,
    use: body.use,
    hash: hashOfKey(text),
    hint: text.slice(-4),
    requestsPerMinute: body.requestsPerMinute ?? usualRequestsPerMinute,
    runsPerDay: body.runsPerDay ?? null,
    usdPerDay: body.usdPerDay ?? null,
    createdAt,
    expiresAt: body.expiresAt ?? null,
    lastUsedAt: null,
  }
  return { row, text }
}

function toView(
  { agentId: _, hash: _hash, ...row }: AgentKeyRow,
  today: AgentKeyView['today'],
): AgentKeyView {
  return { ...row, today }
}

/** The name of the agent. Throws `not_found`. */
function agentOf(stores: Stores, id: string): string {
  const agent = stores.agents.runnable(id)
  if (agent === undefined)
    throw new AppError('not_found', 'There is no such agent; it may have been deleted.')
  return agent.name
}

/** A disk that cannot be written must not keep out a key that works. */
function noteUse({ keys }: Stores, { id, lastUsedAt }: AgentKeyRow, now: number): void {
  if (lastUsedAt !== null && Math.abs(now - lastUsedAt) < noteEvery) return
  try {
    keys.noteUse(id, now)
  } catch (error) {
    if (storeFault(error) === undefined) throw error
  }
}

const useWords: Readonly<Record<KeyUse, string>> = {
  mcp: 'the agent’s MCP endpoint',
  chat: 'the agent’s chat page',
  api: 'runs over the API',
}

function refusalOf({ use }: AgentKeyRow, access: KeyAccess | undefined): AppError {
  const wanted = access?.uses.map((each) => `“${each}”`).join(' or ')
  const more =
    wanted === undefined ? 'No agent key opens this route.' : `This route needs a key of use ${wanted}.`
  return new AppError('forbidden', `This key is for ${useWords[use]}. ${more}`)
}

/**
 * Throws unless the subject belongs to the key. What belongs to others is reported like what does not exist, so
 * that a key cannot find out which ids there are.
 */
function checkReach(stores: Stores, key: AgentKeyRow, reach: KeyAccess['reach'], subject: string): void {
  const ownsThread = (id: string | undefined) => id !== undefined && stores.keys.ownsThread(key.id, id)
  switch (reach) {
    case 'own':
      return
    case 'agent':
    case 'agentName':
      if (subject === (reach === 'agent' ? key.agentId : agentOf(stores, key.agentId))) return
      throw new AppError('forbidden', 'This key belongs to another agent.')
    case 'thread':
      if (ownsThread(subject)) return
      throw new AppError('not_found', 'There is no such thread.')
    case 'run':
      if (ownsThread(stores.runs.get(subject)?.threadId)) return
      throw new AppError('not_found', 'There is no such run.')
    case 'artifact':
      if (ownsThread(stores.artifacts.get(subject)?.threadId)) return
      throw new AppError('not_found', 'There is no such file.')
  }
  throw reach satisfies never
}
