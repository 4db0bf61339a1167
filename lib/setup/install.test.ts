/** Tests of the advice after a failed npm installation, and of packages that were installed by hand. */
import { describe, expect, test } from 'vitest'
import { installAdvice, isInstalledAsLocked } from './install.mjs'

describe('why an installation failed', () => {
  test.each([
    'npm error network request to https://packages.example/next failed, reason: getaddrinfo ENOTFOUND packages.example',
    'npm error code EAI_AGAIN\nnpm error errno EAI_AGAIN',
    'npm error FetchError: connect ECONNREFUSED 127.0.0.1:4873',
  ])('no network: %s', (output) => {
    expect(installAdvice(output)).toMatch(
      /^The package registry could not be reached .*with: npm config set proxy/,
    )
  })

  test('a missing compiler is named although the download tried before it failed on the network', () => {
    const output =
      'prebuild-install warn install getaddrinfo ENOTFOUND github.com\ngyp ERR! stack Error: not found: make'
    expect(installAdvice(output, 'linux')).toMatch(/a compiler is missing\. Install/)
    expect(installAdvice(output, 'darwin')).toMatch(/with: xcode-select --install$/)
    expect(installAdvice(output, 'win32')).toMatch(/with: winget install/)
  })

  test('headers that can not be fetched are a matter of the network', () => {
    const output =
      'gyp ERR! stack FetchError: request to https://nodejs.org/download failed, reason: ENOTFOUND nodejs.org'
    expect(installAdvice(output)).toMatch(/could not be reached \(ENOTFOUND nodejs\.org\)/)
  })

  test('rights and room on the disk have their own sentence', () => {
    expect(installAdvice('npm error code EACCES')).toMatch(/chown/)
    expect(installAdvice('npm error code ENOSPC')).toMatch(/disk is full/)
  })

  test('an unheard-of failure gets no guess', () => {
    expect(
      installAdvice('npm error code ETARGET\nnpm error notarget No matching version found'),
    ).toBeUndefined()
  })
})

describe('packages installed by hand', () => {
  const manifest = { dependencies: { zod: '^4' } }
  const lock = {
    packages: {
      '': { dependencies: { zod: '^4' } },
      'node_modules/zod': { version: '4.6.7' },
      'node_modules/@esbuild/win32-x64': { version: '0.25.0', optional: true },
    },
  }
  const installed = { packages: { 'node_modules/zod': { version: '4.6.7' } } }

  test('are kept when they are what the lock file says, other platforms apart', () => {
    expect(isInstalledAsLocked(manifest, lock, installed)).toBe(true)
  })

  test('are replaced when a version differs, one lacks, or the lock file is behind package.json', () => {
    expect(
      isInstalledAsLocked(manifest, lock, { packages: { 'node_modules/zod': { version: '4.0.0' } } }),
    ).toBe(false)
    expect(isInstalledAsLocked(manifest, lock, { packages: {} })).toBe(false)
    expect(isInstalledAsLocked(manifest, lock, undefined)).toBe(false)
    expect(isInstalledAsLocked({ dependencies: { zod: '^5' } }, lock, installed)).toBe(false)
  })
})
