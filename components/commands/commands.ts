/**
 * What a person can do by shortcut or by name: each screen registers its commands; one listener, one search
 * and one sheet read them.
 */
import { addTo } from '#lib/spec/lists'

export interface Command {
  /** Stable, `noun.verb`: `canvas.undo`. */
  readonly id: string
  readonly label: string
  /** Its heading in the search and on the sheet: Run, Edit, View, Go to. */
  readonly group: string
  readonly icon?: string
  /** `Mod+Shift+Z`, `Delete`, `?`; Mod is ⌘ on a Mac and Ctrl elsewhere. The first is the one shown. */
  readonly keys?: readonly string[]
  /** Also works while the person is typing. */
  readonly whileTyping?: boolean
  /**
   * The browser fires an event of its own for this key (copy, cut, paste), and that event does the work: the
   * key is shown but not handled.
   */
  readonly isNative?: boolean
  /** Shown only on the sheet, because searching for it makes no sense. */
  readonly isUnlisted?: boolean
  /**
   * Which of several commands with the same key comes first, whenever they were registered: what is open over
   * the page, then stopping a run, then all others.
   */
  readonly rank?: 'open' | 'stop'
  /**
   * Whether it can run now; without this function, always. If it cannot, its key falls back to the next
   * command by rank, and among equal ranks to the one registered before it.
   */
  canRun?(): boolean
  /** `pressed` is the key that started it, if any. */
  run(pressed?: string): void
}

/** The headings in display order; headings that are not listed here come last, in order of registration. */
const groupOrder = ['Run', 'Edit', 'Add', 'Canvas', 'Agents', 'Agent', 'View', 'Go to', 'Theme', 'Outline']

/** The commands, sorted by heading. */
export function byGroup(commands: readonly Command[]): Command[] {
  const rank = ({ group }: Command) => {
    const at = groupOrder.indexOf(group)
    return at < 0 ? groupOrder.length : at
  }
  return commands.toSorted((a, b) => rank(a) - rank(b))
}

/**
 * The key pressed, as `Mod+Shift+Z`, with letters in capitals; a shifted character such as `?` is written
 * without Shift.
 */
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

/**
 * The command for a pressed key: of those that can run, the highest in rank, and among equal ranks the last
 * one registered.
 */
export function commandFor(
  commands: readonly Command[],
  pressed: string,
  isTyping: boolean,
): Command | undefined {
  const ready = commands.filter(
    ({ keys, whileTyping, isNative, canRun }) =>
      keys?.includes(pressed) === true &&
      isNative !== true &&
      (!isTyping || whileTyping === true) &&
      (canRun?.() ?? true),
  )
  return ready.toSorted((a, b) => heightOf(a) - heightOf(b)).at(-1)
}

function heightOf({ rank }: Command): number {
  return rank === 'open' ? 2 : rank === 'stop' ? 1 : 0
}

/**
 * Keys with two meanings at once, as `Mod+D: a, b`. Several commands may share a key only if all except the
 * first have `canRun`.
 */
export function clashesIn(commands: readonly Command[]): string[] {
  const byKey = new Map<string, Command[]>()
  for (const command of commands) {
    if (command.isNative === true) continue
    for (const key of command.keys ?? []) addTo(byKey, key, command)
  }
  return [...byKey].flatMap(([key, all]) => {
    const [, ...later] = all
    return later.some(({ canRun }) => canRun === undefined)
      ? [`${key}: ${all.map(({ id }) => id).join(', ')}`]
      : []
  })
}
