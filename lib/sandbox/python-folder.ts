/** The files of a script's folder as bytes, for a sandbox that cannot see the folder itself. */
import { mkdir, opendir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { readPath } from './workspace-path'

/** Plain files with their paths, one at a time. */
export async function* filesIn(
  folder: string,
  above = '',
): AsyncGenerator<{ path: string; content: Uint8Array }> {
  for await (const entry of await opendir(path.join(folder, above))) {
    const at = above === '' ? entry.name : `${above}/${entry.name}`
    if (entry.isDirectory()) yield* filesIn(folder, at)
    else if (entry.isFile()) yield { path: at, content: await readFile(path.join(folder, at)) }
  }
}

/** Files that came back, held until the script has ended. */
export class ReturnedFiles {
  private readonly files = new Map<string, Uint8Array | undefined>()
  private readonly unusable: string[] = []
  private bytes = 0

  constructor(private readonly maxBytes: number) {}

  /** Returns false when there are too many bytes. */
  add(given: string, content: Uint8Array): boolean {
    this.bytes += content.byteLength
    if (this.bytes > this.maxBytes) return false
    const names = readPath(given)
    if (names.ok && names.value.length > 0) this.files.set(names.value.join('/'), content.slice())
    else this.unusable.push(given)
    return true
  }

  remove(given: string): void {
    const names = readPath(given)
    if (names.ok && names.value.length > 0) this.files.set(names.value.join('/'), undefined)
  }

  /** Writes everything into the folder. Returns names that no file of a workspace can have. */
  async writeTo(folder: string): Promise<readonly string[]> {
    for (const [at, content] of this.files)
      if (content === undefined) await rm(path.join(folder, at), { force: true })
    for (const [at, content] of this.files) {
      if (content === undefined) continue
      await mkdir(path.join(folder, path.dirname(at)), { recursive: true, mode: 0o700 })
      await writeFile(path.join(folder, at), content, { mode: 0o600 })
    }
    return this.unusable
  }
}
