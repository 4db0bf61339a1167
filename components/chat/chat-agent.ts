/** The agent of a chat, as its regions need it. */

export interface ChatAgent {
  readonly id: string
  readonly title: string
  readonly description: string
  /** Why it cannot be asked, in one sentence. */
  readonly hindrance: string | undefined
  readonly samples: readonly string[]
  /** Answered by the demo's rules or by scripted turns. The page says so, since no AI model answers. */
  readonly script: 'demo' | 'turns' | null
  /** The chat is the whole page, so it leads nowhere else in the product. */
  readonly isBare: boolean
}
