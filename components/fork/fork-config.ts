/** With which config a fork runs: that of its run or the draft, another model, other instructions. Pure. */
import type { KnownModel } from '#lib/wire/providers'
import type { ForkRun } from '#lib/wire/runs'

export interface ForkConfigDraft {
  readonly isDraft: boolean
  /** Null keeps the model of the config. */
  readonly model: KnownModel | null
  /** Null keeps the instructions of the config. */
  readonly instructions: string | null
}

export const sameConfig: ForkConfigDraft = { isDraft: false, model: null, instructions: null }

/** The part of the request that says what differs; empty when nothing does. */
export function requestOf({ isDraft, model, instructions }: ForkConfigDraft): Partial<ForkRun> {
  const overrides = {
    ...(model !== null && { model: { ...model } }),
    ...(instructions !== null && { instructions }),
  }
  return {
    ...(isDraft && { version: 'draft' as const }),
    ...(Object.keys(overrides).length > 0 && { overrides }),
  }
}

/** `gpt-5-mini, openai`; an added endpoint is named instead of its provider. */
export function modelLabel({ name, provider, endpoint }: KnownModel): string {
  return `${name}, ${endpoint ?? provider}`
}

export function modelKey({ provider, endpoint, name }: KnownModel): string {
  return JSON.stringify([provider, endpoint ?? null, name])
}
