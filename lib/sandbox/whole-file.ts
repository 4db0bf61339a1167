/** Reads a whole file of a workspace into memory, up to a limit. */
import type { FilesPort } from '#lib/spec/sandbox'

export type WholeFile =
  | { readonly ok: true; readonly content: Buffer }
  /** Nothing of it was read. */
  | { readonly ok: false; readonly code: 'too_large' }
  | { readonly ok: false; readonly code: 'unread'; readonly message: string }

/** Never throws. */
export async function readWhole(
  files: Pick<FilesPort, 'open'>,
  path: string,
  maxBytes: number,
): Promise<WholeFile> {
  const opened = await files.open?.(path)
  if (opened === undefined) return unread('There are no files here.')
  if (!opened.ok) return unread(opened.message)
  const { content, bytes } = opened.value
  try {
    if (bytes > maxBytes) return { ok: false, code: 'too_large' }
    const chunks: Uint8Array[] = []
    for await (const chunk of content) chunks.push(chunk)
    return { ok: true, content: Buffer.concat(chunks) }
  } catch {
    return unread(`"${path}" cannot be read from the disk just now.`)
  } finally {
    content.destroy()
  }
}

function unread(message: string): WholeFile {
  return { ok: false, code: 'unread', message }
}
