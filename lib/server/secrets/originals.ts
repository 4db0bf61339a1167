/** Keeps the arguments of calls that contain secrets: sealed on the disk until the call ends. */
import type { Originals } from '#lib/agent/call/originals'
import { isObject, tryParseJson } from '#lib/spec/json'
import type { OriginalStore } from '#lib/spec/originals'
import { keyFile, seal, unseal } from './secret-key'

interface OriginalsContext {
  readonly store: OriginalStore
  /** The data folder. */
  readonly folder: string
}

/**
 * The originals of the calls of one run. Keeping throws when the key or the disk cannot be used: a call whose
 * original is not kept could not be resumed.
 */
export function createOriginals({ store, folder }: OriginalsContext): (runId: string) => Originals {
  const key = keyFile(folder)
  return (runId) => ({
    keep: (callId, source, args) => {
      const known = key.need()
      if (!known.ok) throw new Error(`The arguments of a call with a secret cannot be kept: ${known.error}.`)
      const sealed = seal(known.value, nameOf(runId, callId, source), JSON.stringify(args))
      store.put({ runId, callId, source, sealed })
    },
    of: (callId, source) => {
      const sealed = store.get({ runId, callId, source })
      const known = sealed && key.read()
      const text = known?.ok && sealed && unseal(known.value, nameOf(runId, callId, source), sealed)
      const args = typeof text === 'string' ? tryParseJson(text) : undefined
      return isObject(args) ? args : undefined
    },
  })
}

function nameOf(runId: string, callId: string, source: string): string {
  return `call ${runId} ${callId} ${source}`
}
