/** Removes encoded bytes from what the model reads: it cannot use them, and they fill its context window. */

/** Shorter runs may be words, hashes or keys. */
const shortest = 4_096
// Every run is found first and measured afterwards: a minimum length in the pattern would visit each
// character many times.
const run = /[A-Za-z0-9+/_-]+={0,2}/g
/** A line as encoders wrap it; a shorter line ends the run. */
const line = /^[A-Za-z0-9+/]{60,}={0,2}\r?$/
const lastLine = /^[A-Za-z0-9+/]*={0,2}\r?$/

/** The text with every run of base64 of 4 kB or more replaced by a note of its length. */
export function withoutBlobs(text: string): string {
  if (text.length < shortest) return text
  return withoutWrapped(text.replace(run, (found) => (isEncoded(found) ? note(found.length) : found)))
}

function withoutWrapped(text: string): string {
  const kept: string[] = []
  let wrapped: string[] = []
  const flush = () => {
    const blob = wrapped.join('\n')
    if (isEncoded(blob)) kept.push(note(blob.length))
    else for (const each of wrapped) kept.push(each)
    wrapped = []
  }
  for (const each of text.split('\n')) {
    if (line.test(each)) {
      wrapped.push(each)
      continue
    }
    const isLast = wrapped.length > 0 && each !== '' && lastLine.test(each)
    if (isLast) wrapped.push(each)
    flush()
    if (!isLast) kept.push(each)
  }
  flush()
  return kept.join('\n')
}

/** Any long stretch of encoded bytes holds letters of both cases and digits; a long plain word does not. */
function isEncoded(found: string): boolean {
  if (found.length < shortest) return false
  const start = found.slice(0, shortest)
  return /[a-z]/.test(start) && /[A-Z]/.test(start) && /[0-9]/.test(start)
}

function note(length: number): string {
  return `[… ${length} characters of base64 left out]`
}
