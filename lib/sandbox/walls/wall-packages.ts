/**
 * The programs that `loopwright walls install` can add: pinned versions of npm packages with the checksums of their
 * archives. They are in no list of dependencies.
 */

export const wallNames = ['deno', 'pyodide'] as const
export type WallName = (typeof wallNames)[number]

export interface WallPackage {
  readonly name: WallName
  readonly version: string
  /** The npm package. */
  readonly npm: string
  /** Of the archive: `sha512-` and the hash in base64. */
  readonly integrity: string
  readonly downloadBytes: number
  readonly unpackedBytes: number
  /** The file without which the package is of no use, relative to its folder. */
  readonly program: string
}

/** The name of Deno's program on this system. */
export function denoProgram(platform: NodeJS.Platform = process.platform): string {
  return platform === 'win32' ? 'deno.exe' : 'deno'
}

/** By platform and architecture of Node: the npm package, its version and its checksum. */
const denos: Readonly<Record<string, readonly [npm: string, version: string, integrity: string]>> = {
  'linux-x64': [
    '@deno/linux-x64-glibc',
    '2.9.6',
    'sha512-3md4TKLCuzsLDmfOoC5KN7NAZaxSVkMgm64vg6foD00JBADCpYS2/5QqXfzgnP5ZQz3iLP9vBQJtEgc116OAoQ==',
  ],
  'linux-arm64': [
    '@deno/linux-arm64-glibc',
    '2.9.5',
    'sha512-IuYjsz9PGl7CJcNXMuN27KNDB8Q40brK3SG3l+TXMDVW61ZKwcn0fQHBHnXFiiygEwI8by/fKnASEluhZB1atw==',
  ],
  'darwin-x64': [
    '@deno/darwin-x64',
    '2.9.5',
    'sha512-gbdlxWZuAZFiJiZtTT00Mv/aC7f/31+pyqJGQKlZr5X33WeTo5B0GG+efcX3P1UZceRKHuPEAQ1B/M2oRt8r9Q==',
  ],
  'darwin-arm64': [
    '@deno/darwin-arm64',
    '2.9.5',
    'sha512-SX98qSdBT1lw9x6NwGwx2xIayl1kRimdRnFohYlJ6nt3mLKzTKHHKQwQs5D2pEY7mbUGGbYe9brM2kfN75pPkg==',
  ],
  'win32-x64': [
    '@deno/win32-x64',
    '2.9.5',
    'sha512-LkcERsH0olOgevg9L9eootSr1U8ydyfnX1bS3mFqU+lGBeTYtlec5b/QF473WUOGVgPlWECrkxi4As5kEaFOzg==',
  ],
  'win32-arm64': [
    '@deno/win32-arm64',
    '2.9.5',
    'sha512-tTPrE/4SX7uaC8nJW47iNnibtjzk1y4zoiYjBBHE34vdkbb6LHopqH68BxyT61HZdfqXzOTEYjDVHhtmVZFy+w==',
  ],
}

const pyodide: WallPackage = {
  name: 'pyodide',
  version: '314.0.7',
  npm: 'pyodide',
  integrity:
    'sha512-0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A==',
  downloadBytes: 6_488_647,
  unpackedBytes: 13_900_000,
  program: 'pyodide.mjs',
}

/** The package for a machine; undefined where Deno does not run. */
export function packageFor(
  name: WallName,
  machine: { readonly platform: NodeJS.Platform; readonly arch: string } = process,
): WallPackage | undefined {
  if (name === 'pyodide') return pyodide
  const found = denos[`${machine.platform}-${machine.arch}`]
  if (found === undefined) return undefined
  const [npm, version, integrity] = found
  // The archives for other systems differ from that for Linux by a few megabytes.
  const sizes = { downloadBytes: 42_285_097, unpackedBytes: 95_600_000 }
  return { name, version, npm, integrity, ...sizes, program: denoProgram(machine.platform) }
}

/** Where a package is, below the folder of all. */
export function folderName({ name, version }: Pick<WallPackage, 'name' | 'version'>): string {
  return `${name}-${version}`
}
