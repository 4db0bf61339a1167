/** A row as text to copy: JSON of the row, JSON of its call, or the request of its step as curl. */

import { api, type StepPlace } from '#components/data/client'
import { NothingToCopy } from '#components/ui/copy-button'
import type { CallState } from '#lib/spec/state'
import { curlOf } from './curl'
import type { Row } from './row'

export function rowJson({ kind, step, title, detail, words, tone, at, tokens, cost, ms }: Row): string {
  return JSON.stringify(
    { kind, step, title, detail: detail || undefined, words, tone, at, tokens, costUsd: cost, ms },
    null,
    2,
  )
}

export function callJson(call: CallState): string {
  const { id, name, source, args, rawArgs, status, code, attempts, durationMs, rulings, result, mock } = call
  return JSON.stringify(
    { id, name, source, args: args ?? rawArgs, status, code, attempts, durationMs, rulings, result, mock },
    null,
    2,
  )
}

/** Requests the exact request of the step from the server. */
export async function stepCurl(runId: string, place: StepPlace): Promise<string> {
  const asked = await api.runs.request(runId, place).catch(() => {
    throw new NothingToCopy('The request of this step could not be read')
  })
  const curl = curlOf(asked)
  if (curl === null)
    throw new NothingToCopy('The scripted model runs in this server, so there is no request to send')
  return curl
}
