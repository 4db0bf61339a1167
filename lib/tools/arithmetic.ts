/** The functions and constants that an expression may use. */

/** By name, with the least and most number of arguments. */
export const functions = new Map<
  string,
  { least: number; most: number; of: (...values: number[]) => number }
>([
  ['min', { least: 1, most: 100, of: Math.min }],
  ['max', { least: 1, most: 100, of: Math.max }],
  ['abs', { least: 1, most: 1, of: Math.abs }],
  ['round', { least: 1, most: 2, of: round }],
  ['floor', { least: 1, most: 1, of: Math.floor }],
  ['ceil', { least: 1, most: 1, of: Math.ceil }],
  ['sqrt', { least: 1, most: 1, of: Math.sqrt }],
  ['log', { least: 1, most: 1, of: Math.log10 }],
  ['ln', { least: 1, most: 1, of: Math.log }],
  ['exp', { least: 1, most: 1, of: Math.exp }],
  ['pow', { least: 2, most: 2, of: Math.pow }],
])
export const constants = new Map([
  ['pi', Math.PI],
  ['e', Math.E],
])

/** Rounds half away from zero, on the decimal digits as written: 1.005 to 2 places is 1.01. */
function round(value: number, digits = 0): number {
  const places = Math.max(-15, Math.min(15, Math.trunc(digits)))
  const shift = (number: number, by: number) => {
    const [mantissa = '0', exponent = '0'] = String(number).split('e')
    return Number(`${mantissa}e${Number(exponent) + by}`)
  }
  return Math.sign(value) * shift(Math.round(shift(Math.abs(value), places)), -places)
}
