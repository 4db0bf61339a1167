/** Text as a person who decides on it must see it: what would hide or turn letters round stands by its number. */

/** Controls but tab and line feed, marks of direction, and what has no width. */
const hidden =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must be seen
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu

/** `a\u202eb` becomes `a⟨U+202E⟩b`. */
export function visible(text: string): string {
  return text.replace(hidden, (each) => {
    const code = each.codePointAt(0) ?? 0
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`
  })
}
