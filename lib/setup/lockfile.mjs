/**
 * Repairs package-lock.json after `npm install`: adds the optional packages of other platforms that this
 * machine's registry did not list, because `npm ci` rejects the file without them, and removes addresses, so
 * that each machine uses its own registry.
 */
import { at, readJson, writeWhole } from './place.mjs'
import { perform, say } from './stage.mjs'

const systems = 'aix android darwin freebsd linux netbsd openbsd openharmony sunos win32'.split(' ')
const processors = 'arm arm64 ia32 loong64 mips64el ppc64 riscv64 s390x wasm32 x64'.split(' ')

/**
 * The platform that a package name refers to, as in `@img/sharp-linux-arm64`.
 * @param {string} name
 * @returns {{ os?: string[], cpu?: string[] }}
 */
export function platformOf(name) {
  const words = name.slice(name.lastIndexOf('/') + 1).split('-')
  const system = words
    .map((word) => (word === 'linuxmusl' ? 'linux' : word))
    .find((word) => systems.includes(word))
  const processor =
    words.find((word) => processors.includes(word)) ??
    (words.some((word) => /^arm/.test(word)) ? 'arm' : undefined)
  return { ...(processor ? { cpu: [processor] } : {}), ...(system ? { os: [system] } : {}) }
}

function absentOptionals(packages) {
  return Object.entries(packages).flatMap(([place, entry]) =>
    Object.entries(place === '' ? {} : (entry.optionalDependencies ?? {}))
      .filter(([name, version]) => /^\d/.test(version) && !packages[`${place}/node_modules/${name}`])
      .map(([name, version]) => ({ name, version, place, isDev: Boolean(entry.dev) })),
  )
}

/**
 * The repaired lock file.
 * @param {any} lock package-lock.json, parsed
 * @returns {{ lock: any, added: string[], cleaned: number }}
 */
export function mend(lock) {
  const packages = structuredClone(lock.packages)
  const added = []
  for (const { name, version, place, isDev } of absentOptionals(packages)) {
    const shared = packages[`node_modules/${name}`]
    if (shared?.version === version) {
      if (!isDev) delete shared.dev
      continue
    }
    // The top level has another version, so this one is placed below the package that requires it.
    const where = shared ? `${place}/node_modules/${name}` : `node_modules/${name}`
    packages[where] = { version, ...(isDev ? { dev: true } : {}), optional: true, ...platformOf(name) }
    added.push(where)
  }
  let cleaned = 0
  for (const entry of Object.values(packages)) {
    if (!/^https?:/.test(entry.resolved ?? '')) continue
    delete entry.resolved
    cleaned += 1
  }
  const sorted = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, 'en')))
  return { lock: { ...lock, packages: sorted }, added, cleaned }
}

if (process.argv[1] === at('lib', 'setup', 'lockfile.mjs')) {
  await perform(async () => {
    const { lock, added, cleaned } = mend(readJson(at('package-lock.json')))
    writeWhole(at('package-lock.json'), `${JSON.stringify(lock, null, 2)}\n`)
    say(`lockfile  ${added.length} optional packages added, ${cleaned} addresses taken out`)
    return 0
  })
}
