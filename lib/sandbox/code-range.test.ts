/** The memory that V8 reserves for compiled code. */
import { expect, test } from 'vitest'
import { codeRangeIn, codeRangeMiB } from './code-range'

const node24 = `0074a000-03044000 r-xp 0034a000 fe:00 5366129 /usr/bin/node
7f0aab000000-7f0acad80000 rwxp 00000000 00:00 0
7f0acaf70000-7f0acafb0000 rwxp 00000000 00:00 0
7f0acafc0000-7f0ad2ff0000 ---p 00000000 00:00 0
`
const node20 = `0074a000-03044000 r-xp 0034a000 fe:00 5366129 /usr/bin/node
7f0aab000000-7f0acad80000 ---p 00000000 00:00 0
7f0acaf70000-7f0acafb0000 rwxp 00000000 00:00 0
`

test('the code range of Node 24, which is mapped writable, is measured', () => {
  expect(codeRangeIn(node24)).toBe(510)
})

test('the code range of Node 20, which the kernel does not count, is left out', () => {
  expect(codeRangeIn(node20)).toBe(0)
})

test('this Node is measured', () => {
  expect(codeRangeMiB()).toBeGreaterThanOrEqual(0)
  expect(codeRangeMiB()).toBeLessThan(1_024)
})
