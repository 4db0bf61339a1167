/** Reads the tags of the XML format, in all spellings that models are known to use. */

export type TagKind = 'block' | 'invoke' | 'parameter'

export interface Tag {
  readonly kind: TagKind | 'element'
  readonly isEnd: boolean
  /** A self-closing tag. */
  readonly isEmpty: boolean
  /** The name as written, for an element. */
  readonly element: string
  readonly attributes: ReadonlyMap<string, string>
  /** The index after the tag. */
  readonly end: number
}

const prefixes = ['', 'antml:', 'minimax:']
const kinds = new Map<string, TagKind>([
  ...prefixes.flatMap((prefix): [string, TagKind][] => [
    [`${prefix}function_calls`, 'block'],
    [`${prefix}invoke`, 'invoke'],
    [`${prefix}parameter`, 'parameter'],
  ]),
  ['minimax:tool_call', 'block'],
])
/**
 * The names by the code of their first letter, so that most text that looks like a tag is
 * rejected by one look-up.
 */
const namesBy = Array.from({ length: 128 }, (_, code) => {
  const names = [...kinds.keys()].filter((name) => name.charCodeAt(0) === code)
  return names.length === 0 ? undefined : names
})
const longestName = 64
/** A `<` is not a tag if the tag does not end within this many characters. */
const longestTag = 1_000

/** Whether a tag of the format may start in the text, judging by first letters only. */
export function mayHoldTag(text: string): boolean {
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) {
    const start = text[at + 1] === '/' ? at + 2 : at + 1
    if (start >= text.length || namesBy[text.charCodeAt(start) | 32] !== undefined) return true
  }
  return false
}

/**
 * The tag that starts with the `<` at index `at`: undefined if it is not a tag of the format, `more`
 * while that cannot be decided.
 * @param elements further names that count as tags here, as declared by a tool
 */
export function tagAt(text: string, at: number, elements?: ReadonlySet<string>): Tag | 'more' | undefined {
  const isEnd = text[at + 1] === '/'
  const start = at + (isEnd ? 2 : 1)
  if (start >= text.length) return 'more'
  const name = nameAt(text, start) ?? (elements === undefined ? undefined : elementAt(text, start, elements))
  if (name === undefined) return undefined
  if (name === '') return 'more'
  const past = start + name.length
  const code = text.charCodeAt(past)
  const kind = kinds.get(name) ?? 'element'
  if (code === 62) return { kind, isEnd, isEmpty: false, element: name, attributes: none, end: past + 1 }
  if (code !== 47 && !isSpace(code)) return undefined
  const close = closeOf(text, past)
  if (close === undefined) return undefined
  if (close < 0) return text.length - at > longestTag ? undefined : 'more'
  const isEmpty = text.charCodeAt(close - 1) === 47
  const attributes = attributesIn(text.slice(past, isEmpty ? close - 1 : close))
  if (attributes === undefined) return undefined
  return { kind, isEnd, isEmpty, element: name, attributes, end: close + 1 }
}

/** The format's name at this index, in upper or lower case; empty if the text ends inside the name. */
function nameAt(text: string, start: number): string | undefined {
  const names = namesBy[text.charCodeAt(start) | 32]
  if (names === undefined) return undefined
  for (const name of names) {
    const most = Math.min(name.length, text.length - start)
    let size = 1
    while (size < most && isLetter(text.charCodeAt(start + size), name.charCodeAt(size))) size++
    if (start + size === text.length) return ''
    if (size === name.length && !isNameCode(text.charCodeAt(start + size))) return name
  }
  return undefined
}

/** Whether the character is the wanted lower-case letter or its capital. */
function isLetter(code: number, wanted: number): boolean {
  return code === wanted || (code >= 65 && code <= 90 && code + 32 === wanted)
}

function elementAt(text: string, start: number, elements: ReadonlySet<string>): string | undefined {
  let past = start
  while (past < text.length && past - start <= longestName && isNameCode(text.charCodeAt(past))) past++
  const name = text.slice(start, past)
  if (past < text.length) return elements.has(name) ? name : undefined
  for (const known of elements) if (known.startsWith(name)) return ''
  return undefined
}

/** Whether a cut tag has its complete name, so that it was meant to be a tag. */
export function isNamed(text: string): boolean {
  const name = /^<\/?([^\s/>]+)[\s/>]/.exec(text)?.[1]
  return name !== undefined && kinds.has(name.toLowerCase())
}

export function isSpace(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9
}

function isNameCode(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 58) ||
    code === 95 ||
    code === 45 ||
    code === 46 ||
    code > 127
  )
}

/**
 * The index of the `>` that ends the tag, ignoring any in quotes; -1 if it has not come yet, undefined if
 * another tag starts first.
 */
function closeOf(text: string, from: number): number | undefined {
  let quote = 0
  for (let index = from; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === 60) return undefined
    if (quote !== 0) {
      if (code === quote) quote = 0
    } else if (code === 62) return index
    else if (code === 34 || code === 39) quote = code
  }
  return -1
}

const none: ReadonlyMap<string, string> = new Map()
const attribute = /\s+([^\s=<>"'/]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/y

/** Undefined if the text is not a list of attributes. */
function attributesIn(text: string): ReadonlyMap<string, string> | undefined {
  const attributes = new Map<string, string>()
  let past = 0
  attribute.lastIndex = 0
  for (let found = attribute.exec(text); found !== null; found = attribute.exec(text)) {
    attributes.set((found[1] ?? '').toLowerCase(), plain(found[2] ?? found[3] ?? ''))
    past = attribute.lastIndex
  }
  return past === text.length || text.slice(past).trim() === '' ? attributes : undefined
}

const entities: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

function plain(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(
    /&(?:(lt|gt|amp|quot|apos)|#(\d{1,7})|#x([0-9a-f]{1,6}));/gi,
    (whole, name, decimal, hex) => {
      if (typeof name === 'string') return entities[name.toLowerCase()] ?? whole
      const point = typeof decimal === 'string' ? Number(decimal) : Number.parseInt(hex, 16)
      return point <= 0x10ffff ? String.fromCodePoint(point) : whole
    },
  )
}

/** A name in double quotes. */
export function quoteName(text: string): string {
  const inner = text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[\n\r\t]/g, (char) => `&#${char.charCodeAt(0)};`)
  return `"${inner}"`
}

/** Escapes every tag of the format in the text: the output of a tool must never be read as a call. */
export function harmless(text: string): string {
  return text.replace(
    /<(?=\/?(?:[a-z]+:)?(?:function_calls|tool_call|invoke|parameter|function_results|result)\b)/gi,
    '&lt;',
  )
}
