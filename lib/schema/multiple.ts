/** Checks whether a number is a multiple of another, in decimal: 0.3 is three times 0.1. */

export function isMultipleOf(value: number, divisor: number): boolean {
  if (!Number.isFinite(value) || !Number.isFinite(divisor) || divisor <= 0) return false
  const [digits, exponent] = decimal(value)
  const [ownDigits, ownExponent] = decimal(divisor)
  // The exponent of a double is small, so these powers are small as well.
  const more = exponent - ownExponent
  return more >= 0
    ? (digits * 10n ** BigInt(more)) % ownDigits === 0n
    : digits % (ownDigits * 10n ** BigInt(-more)) === 0n
}

/** The number as an integer times a power of ten. */
function decimal(value: number): [digits: bigint, exponent: number] {
  const [written = '0', exponent = '0'] = String(Math.abs(value)).split('e')
  const [whole = '', fraction = ''] = written.split('.')
  return [BigInt(whole + fraction), Number(exponent) - fraction.length]
}
