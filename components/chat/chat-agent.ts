/** The agent of a chat, as its regions need it. */

export interface ChatAgent {
  readonly id: string
  readonly title: string
  readonly description: string
  /** Why it cannot be asked, in one sentence. */
  readonly hindrance: string | undefined
  readonly samples: readonly string[]
  /** Plays by rules or from written turns: told plainly, for it is no AI. */
  readonly script: 'demo' | 'turns' | null
}
