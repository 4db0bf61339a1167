/** Formats a shortcut with the key names of the person's keyboard. Pure. */

/** `⌘ ⇧ Z` on a Mac, `Ctrl Shift Z` elsewhere. */
export function keyText(keys: string, isMac: boolean): string {
  const words: Readonly<Record<string, string>> = isMac
    ? { Mod: '⌘', Shift: '⇧', Alt: '⌥', Delete: '⌫', Enter: '↵' }
    : { Mod: 'Ctrl' }
  // The last part may be a plus sign.
  return keys
    .split(/\+(?=.)/)
    .map((each) => words[each] ?? keyNames[each] ?? each)
    .join(' ')
}

const keyNames: Readonly<Record<string, string>> = {
  Escape: 'Esc',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
}
