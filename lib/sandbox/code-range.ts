/** How much of the writable memory that the kernel counts for a Node process is V8's reserve for compiled code. */
import fs from 'node:fs'

/** Everything else that is both writable and executable, such as WebAssembly code, is far smaller. */
const leastMiB = 64

/**
 * The MiB that V8 maps for compiled code when Node starts, found in a text like Linux's `/proc/self/maps`.
 * Since Node 24 V8 maps the whole range as writable, so the kernel counts all of it although almost none is used.
 */
export function codeRangeIn(maps: string): number {
  let sum = 0
  for (const [, from = '', to = ''] of maps.matchAll(/^([0-9a-f]+)-([0-9a-f]+) rwxp /gm)) {
    const size = (Number.parseInt(to, 16) - Number.parseInt(from, 16)) / 2 ** 20
    if (size >= leastMiB) sum += size
  }
  return Math.ceil(sum)
}

let measured: number | undefined

/**
 * The code range of this Node in MiB, measured once; 0 where the system does not tell. It is asked again after a
 * failure, because the server may only have had no file left to open.
 */
export function codeRangeMiB(): number {
  measured ??= measure()
  return measured ?? 0
}

function measure(): number | undefined {
  try {
    return codeRangeIn(fs.readFileSync('/proc/self/maps', 'utf8'))
  } catch {
    return undefined
  }
}
