/** Installs and removes the programs of the sandbox that are not part of the product: Deno and Pyodide. */
import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { registryHost } from '#lib/sandbox/walls/npm-client'
import {
  type InstallProgress,
  installPackage,
  isInstalled,
  removePackage,
  sweepInstallations,
} from '#lib/sandbox/walls/wall-install'
import { packageFor, type WallPackage, wallNames } from '#lib/sandbox/walls/wall-packages'
import { AppError } from '#lib/spec/errors'
import type { WallPackageList, WallPackageView } from '#lib/wire/wall-packages'

/** Expected failures are thrown as AppError; a failed installation is told in the list. */
export interface WallPackages {
  list(): Promise<WallPackageList>
  /** Begins to download and install; returns at once. Does nothing if that is under way. */
  install(name: string): Promise<WallPackageList>
  /** Installs from the archive that is sent, and resolves when it is installed. */
  installFrom(name: string, content: AsyncIterable<Uint8Array>): Promise<WallPackageList>
  cancel(name: string): Promise<WallPackageList>
  remove(name: string): Promise<WallPackageList>
  close(): void
}

interface Context {
  /** The folder of all such packages; absolute. */
  readonly installed: string
  /** Where npm is asked for its settings; absolute. */
  readonly root: string
  /** Called after a package was installed or removed. */
  changed(): void
}

interface Work {
  progress: InstallProgress
  readonly abort: AbortController
  readonly done: Promise<void>
}

export function createWallPackages({ installed, root, changed }: Context): WallPackages {
  const works = new Map<string, Work>()
  const faults = new Map<string, string>()
  let source: Promise<string | undefined> | undefined
  void sweepInstallations(installed).catch(() => undefined)

  function begin(wanted: WallPackage, from?: string): Work {
    const abort = new AbortController()
    faults.delete(wanted.name)
    const run = async () => {
      const answer = await installPackage(wanted, {
        installed,
        ...(from !== undefined && { from }),
        signal: abort.signal,
        progress: (progress) => {
          work.progress = progress
        },
      })
      works.delete(wanted.name)
      if (answer.ok) changed()
      else if (!abort.signal.aborted) faults.set(wanted.name, answer.message)
    }
    const first: InstallProgress = { phase: 'downloading', bytes: 0, total: wanted.downloadBytes }
    // The work is known before it runs, because it reports to it.
    const work: Work = { progress: first, abort, done: Promise.resolve().then(run) }
    works.set(wanted.name, work)
    return work
  }

  function view(wanted: WallPackage): WallPackageView {
    const { name, version, npm, downloadBytes, unpackedBytes } = wanted
    return {
      ...{ name, version, npm, downloadBytes, unpackedBytes },
      installed: isInstalled(installed, wanted),
      installing: works.get(name)?.progress ?? null,
      fault: faults.get(name) ?? null,
    }
  }

  async function list(): Promise<WallPackageList> {
    source ??= registryHost(root)
    const items = wallNames.map((name) => packageFor(name)).filter((each) => each !== undefined)
    return { source: (await source) ?? null, items: items.map(view) }
  }

  return {
    list,
    install(name) {
      const wanted = known(name)
      if (!works.has(name)) begin(wanted)
      return list()
    },
    async installFrom(name, content) {
      const wanted = known(name)
      if (works.has(name)) throw new AppError('conflict', `${name} is being installed.`)
      const folder = path.join(installed, `incoming-${randomBytes(6).toString('hex')}`)
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        const file = path.join(folder, 'package.tgz')
        await pipeline(atMost(content, wanted.downloadBytes * 2), createWriteStream(file, { mode: 0o600 }))
        await begin(wanted, file).done
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
      const fault = faults.get(name)
      if (fault !== undefined) throw new AppError('unprocessable', fault)
      return list()
    },
    async cancel(name) {
      known(name)
      const work = works.get(name)
      work?.abort.abort()
      await work?.done
      return list()
    },
    async remove(name) {
      const wanted = known(name)
      if (works.has(name)) throw new AppError('conflict', `${name} is being installed.`)
      if (await removePackage(installed, wanted.name)) changed()
      return list()
    },
    close() {
      for (const { abort } of works.values()) abort.abort()
    },
  }
}

function known(name: string): WallPackage {
  const found = wallNames.find((each) => each === name)
  const wanted = found && packageFor(found)
  if (wanted === undefined) {
    const which =
      found === undefined
        ? `There is no package ${name.slice(0, 100)}`
        : `${name} does not run on this system`
    throw new AppError('not_found', `${which}. The sandbox can install ${wallNames.join(' and ')}.`)
  }
  return wanted
}

async function* atMost(content: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Uint8Array> {
  let so = 0
  for await (const chunk of content) {
    so += chunk.byteLength
    if (so > bytes)
      throw new AppError('too_large', 'The file is larger than the archive that is installed here.')
    yield chunk
  }
}
