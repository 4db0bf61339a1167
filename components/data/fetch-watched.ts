/** A request that tells how much of its body was sent, as fetch cannot. It takes the cookies of the page along. */

interface WatchedRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Blob
  readonly signal?: AbortSignal
}

/** `onSent` is called with the bytes that were sent so far. Rejects as fetch does. */
export function fetchWatched(
  url: string,
  { method, headers, body, signal }: WatchedRequest,
  onSent: (bytes: number) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const leave = () => request.abort()
    request.open(method, url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded }) => onSent(loaded)
    request.onload = () => {
      const { status, responseText } = request
      resolve(new Response(responseText === '' ? null : responseText, { status }))
    }
    request.onerror = () => reject(new TypeError('The server did not answer.'))
    request.onabort = () => reject(signal?.reason)
    request.onloadend = () => signal?.removeEventListener('abort', leave)
    if (signal?.aborted === true) return reject(signal.reason)
    signal?.addEventListener('abort', leave)
    request.send(body)
  })
}
