/** The outline's keys, for the sheet of shortcuts; the tree handles them itself while it has the focus. */
import type { Command } from '#components/commands/commands'

const shortcutRows: readonly (readonly [id: string, label: string, ...keys: string[]])[] = [
  ['walk', 'Walk the tree', 'ArrowUp', 'ArrowDown'],
  ['fold', 'Open and close', 'ArrowRight', 'ArrowLeft'],
  ['type', 'Go to a row by its first letters; names with A, C or D: hold Shift', 'A–Z'],
  ['inspect', 'Into the settings, and back', 'Enter', 'Escape'],
  ['add', 'Add a part', 'A', 'Insert'],
  ['connect', 'Connect', 'C'],
  ['switch', 'Switch off or on', 'D'],
  ['order', 'Move up or down its list', 'Alt+ArrowUp', 'Alt+ArrowDown'],
  ['delete', 'Delete', 'Delete'],
]

export function outlineCommands(): readonly Command[] {
  return shortcutRows.map(([id, label, ...keys]) => ({
    id: `outline.${id}`,
    label,
    group: 'Outline',
    keys,
    isNative: true,
    isUnlisted: true,
    run: () => undefined,
  }))
}
