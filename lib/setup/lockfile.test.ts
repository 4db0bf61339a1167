/** Tests of the repair of the lock file. */
import { describe, expect, test } from 'vitest'
import { mend, platformOf } from './lockfile.mjs'
import { at, readJson } from './place.mjs'

describe('the lock file', () => {
  const lock = {
    lockfileVersion: 3,
    packages: {
      '': { optionalDependencies: { never: '1.0.0' } },
      'node_modules/swift': {
        version: '1.0.0',
        dev: true,
        resolved: 'http://packages.internal:4873/swift/-/swift-1.0.0.tgz',
        optionalDependencies: { '@swift/linux-x64': '1.0.0', '@swift/darwin-arm64': '1.0.0', loose: '^2' },
      },
      'node_modules/@swift/linux-x64': { version: '1.0.0', optional: true },
      'node_modules/plain': {
        version: '1.0.0',
        resolved: 'https://packages.example/plain/-/plain-1.0.0.tgz',
      },
    },
  }

  test('gets the other platforms that its packages name, once', () => {
    const { lock: mended, added } = mend(lock)
    expect(added).toEqual(['node_modules/@swift/darwin-arm64'])
    expect(mended.packages['node_modules/@swift/darwin-arm64']).toEqual({
      version: '1.0.0',
      dev: true,
      optional: true,
      cpu: ['arm64'],
      os: ['darwin'],
    })
    expect(mend(mended).added).toEqual([])
  })

  test('keeps no address of a package', () => {
    const { lock: mended, cleaned } = mend(lock)
    expect(cleaned).toBe(2)
    expect(JSON.stringify(mended)).not.toContain('internal')
    expect(mended.packages['node_modules/plain']).toEqual({ version: '1.0.0' })
  })

  test('another version at the top stays, the missing one goes below its package', () => {
    const packages = {
      'node_modules/swift': { version: '1.0.0', optionalDependencies: { '@swift/linux-x64': '1.0.0' } },
      'node_modules/@swift/linux-x64': { version: '2.0.0', optional: true },
    }
    expect(mend({ packages }).added).toEqual(['node_modules/swift/node_modules/@swift/linux-x64'])
  })

  test('that is kept in the project is whole', () => {
    const { added, cleaned } = mend(readJson(at('package-lock.json')))
    expect({ added, cleaned }).toEqual({ added: [], cleaned: 0 })
  })

  test.each([
    ['@img/sharp-linuxmusl-arm64', { os: ['linux'], cpu: ['arm64'] }],
    ['@rollup/rollup-linux-arm-gnueabihf', { os: ['linux'], cpu: ['arm'] }],
    ['@img/sharp-libvips-linux-armv7', { os: ['linux'], cpu: ['arm'] }],
    ['@img/sharp-wasm32', { cpu: ['wasm32'] }],
    ['fsevents', {}],
  ])('reads the platform of %s', (name, platform) => {
    expect(platformOf(name)).toEqual(platform)
  })
})
