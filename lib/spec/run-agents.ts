/** The agents that a run may call, stored with it as they were when it began. */
import type { AgentRef } from './event'

/** An agent, or why there was none. */
export type RunAgent = {
  /** Its name and version as entries name it: `researcher@published`. */
  readonly key: string
} & (
  | {
      readonly agent: AgentRef
      /** Canonical bytes. */
      readonly config: string
      readonly origins: Readonly<Record<string, string>>
    }
  | { readonly problem: string }
)
