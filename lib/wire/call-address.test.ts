import { expect, it } from 'vitest'
import { callInAddress, callOfAddress } from './call-address'

it('a call inside others has an address without a slash, and is the same call again', () => {
  expect(callInAddress('call_1_1/call_2_1')).toBe('call_1_1~call_2_1')
  expect(callOfAddress(callInAddress('call_1_1/call_2_1'))).toBe('call_1_1/call_2_1')
  expect(callInAddress('call_1_1')).toBe('call_1_1')
})
