/** How a call is named in the address of a request. */

/**
 * A call of a run inside a call is named by several ids, joined by `/`. In an address they are joined by `~`, since an
 * encoded slash is refused there.
 */
export function callInAddress(callId: string): string {
  return callId.replaceAll('/', '~')
}

export function callOfAddress(text: string): string {
  return text.replaceAll('~', '/')
}
