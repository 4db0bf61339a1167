/** Shows a text safely to a person who decides on it: hidden and reordering characters appear by number. */

/** Controls except tab and line feed, direction marks, and characters without width or ink. */
const hidden = new RegExp(
  [
    '[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f]',
    '[\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u2800\\u3164\\ufe00-\\ufe0e\\ufeff\\uffa0\\ufff9-\\ufffb]',
    '[\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}]',
    // A variation selector: it colours an emoji, but is invisible after anything else.
    '(?<![\\p{Extended_Pictographic}#*0-9])\\ufe0f',
  ].join('|'),
  'gu',
)

/** `a\u202eb` becomes `a⟨U+202E⟩b`. */
export function visible(text: string): string {
  return text.replace(hidden, (each) => {
    const code = each.codePointAt(0) ?? 0
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`
  })
}
