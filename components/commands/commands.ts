/** What a person can do by key or by name: each screen says its commands, and one listener, one search and one sheet read them. */

export interface Command {
  /** Stable, `noun.verb`: `canvas.undo`. */
  readonly id: string
  readonly label: string
  /** The heading it stands under in the search and on the sheet: Run, Edit, View, Go to. */
  readonly group: string
  readonly icon?: string
  /** `Mod+Shift+Z`, `Delete`, `?`; Mod is ⌘ on a Mac and Ctrl elsewhere. The first is the one shown. */
  readonly keys?: readonly string[]
  /** Works while the person types, too. */
  readonly whileTyping?: boolean
  /** The browser makes an event of its own of the key (copy, cut, paste), which does the work: the key is shown, not caught. */
  readonly isNative?: boolean
  /** Stands on the sheet only: it makes no sense to search for. */
  readonly isUnlisted?: boolean
  /** Whether it can be done now; without it, always. A key whose command cannot be done goes on to the one said before it. */
  canRun?(): boolean
  /** `pressed` is the key that meant it, where one did. */
  run(pressed?: string): void
}

/** The headings in the order a person reads them; those not named here stand last, as they came. */
const groupOrder = ['Run', 'Edit', 'Add', 'Canvas', 'Agents', 'Agent', 'View', 'Go to', 'Theme', 'Outline']

/** The same commands, heading by heading. */
export function byGroup(commands: readonly Command[]): Command[] {
  const rank = ({ group }: Command) => {
    const at = groupOrder.indexOf(group)
    return at < 0 ? groupOrder.length : at
  }
  return commands.toSorted((a, b) => rank(a) - rank(b))
}

/** `Mod+Shift+Z` of a press, with letters in capitals; the mark of a shifted sign (`?`) stands for itself. */
export function keyOf(
  event: Pick<KeyboardEvent, 'key' | 'metaKey' | 'ctrlKey' | 'shiftKey' | 'altKey'>,
): string {
  const { key } = event
  const isSign = key.length === 1 && !/[a-z0-9 ]/i.test(key)
  const parts = [
    (event.metaKey || event.ctrlKey) && 'Mod',
    event.altKey && 'Alt',
    event.shiftKey && !isSign && 'Shift',
    key === ' ' ? 'Space' : key.length === 1 ? key.toUpperCase() : key,
  ]
  return parts.filter((each) => typeof each === 'string').join('+')
}

/** The command that a press means: the last one said that can be done. */
export function commandFor(
  commands: readonly Command[],
  pressed: string,
  isTyping: boolean,
): Command | undefined {
  return commands.findLast(
    ({ keys, whileTyping, isNative, canRun }) =>
      keys?.includes(pressed) === true &&
      isNative !== true &&
      (!isTyping || whileTyping === true) &&
      (canRun?.() ?? true),
  )
}

/**
 * Keys that would do two things at once, as `Mod+D: a, b`. The same key may stand for several commands only where
 * all but the first said can tell whether they are meant.
 */
export function clashesIn(commands: readonly Command[]): string[] {
  const byKey = new Map<string, Command[]>()
  for (const command of commands) {
    if (command.isNative === true) continue
    for (const key of command.keys ?? []) byKey.set(key, [...(byKey.get(key) ?? []), command])
  }
  return [...byKey].flatMap(([key, all]) => {
    const [, ...later] = all
    return later.some(({ canRun }) => canRun === undefined)
      ? [`${key}: ${all.map(({ id }) => id).join(', ')}`]
      : []
  })
}
