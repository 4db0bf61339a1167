/** Finds the line of a config path in its file, so that an error can name it. Pure. */

interface Frame {
  readonly isObject: boolean
  /** Whether all names down to here match the wanted path. */
  readonly isOnWay: boolean
  /** For an array: the index of the item that comes next or is being read. */
  index: number
  /** For an object: whether its next string is a key. */
  isKeyNext: boolean
  /** For an object: whether the value after its last key is on the wanted path. */
  isKeyWanted: boolean
}

/**
 * The line, from 1, on which `path` (`tools/0/use`) begins in a JSON text. If the path does not exist, the
 * line of its nearest existing ancestor. Undefined when the text contains no value. Invalid JSON is read as
 * far as possible.
 */
export function lineOf(text: string, path: string): number | undefined {
  const wanted = path.split('/').filter(Boolean)
  const frames: Frame[] = []
  let found: number | undefined
  let deepest = -1
  const seen = (at: number, depth: number) => {
    if (depth <= deepest) return
    deepest = depth
    found = at
  }
  for (let at = 0; at < text.length && deepest < wanted.length; at++) {
    const sign = text[at] ?? ''
    const top = frames.at(-1)
    if (/\s|:/.test(sign)) continue
    if (sign === ',') {
      if (top?.isObject === true) top.isKeyNext = true
      else if (top !== undefined) top.index++
      continue
    }
    if (sign === '}' || sign === ']') {
      frames.pop()
      continue
    }
    if (sign === '"' && top?.isObject === true && top.isKeyNext) {
      const end = endOfString(text, at)
      top.isKeyNext = false
      top.isKeyWanted = top.isOnWay && keyAt(text, at, end) === wanted[frames.length - 1]
      if (top.isKeyWanted) seen(at, frames.length)
      at = end
      continue
    }
    const isHere = isWanted(top, frames.length, wanted)
    if (isHere) seen(at, frames.length)
    if (sign === '{' || sign === '[') frames.push(frameOf(sign, isHere))
    else at = sign === '"' ? endOfString(text, at) : endOfWord(text, at)
  }
  return found === undefined ? undefined : text.slice(0, found).split('\n').length
}

function frameOf(sign: string, isOnWay: boolean): Frame {
  const isObject = sign === '{'
  return { isObject, isOnWay, index: 0, isKeyNext: isObject, isKeyWanted: false }
}

function isWanted(top: Frame | undefined, depth: number, wanted: readonly string[]): boolean {
  if (top === undefined) return true
  if (top.isObject) return top.isKeyWanted
  return top.isOnWay && String(top.index) === wanted[depth - 1]
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at
  }
  return text.length
}

function endOfWord(text: string, start: number): number {
  let at = start
  while (at + 1 < text.length && !/[\s,:}\]]/.test(text[at + 1] ?? '')) at++
  return at
}

function keyAt(text: string, start: number, end: number): string | undefined {
  try {
    const key: unknown = JSON.parse(text.slice(start, end + 1))
    return typeof key === 'string' ? key : undefined
  } catch {
    return undefined
  }
}
