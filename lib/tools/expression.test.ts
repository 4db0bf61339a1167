import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { calculate } from './calculate'
import { evaluate } from './expression'
import { context } from './tools.fixture'

describe('an expression', () => {
  it.each([
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['2^3^2', 512],
    ['2 ** 10', 1024],
    ['-2^2', -4],
    ['2^-1', 0.5],
    ['--3', 3],
    ['+-+2', -2],
    ['7 % 4', 3],
    ['-7 % 4', -3],
    ['10 % (3)', 1],
    ['15% of 80', 12],
    ['50% * 2', 1],
    ['200 + 10%', 200.1],
    ['50%%', 0.005],
    ['12 × 3 ÷ 4 − 1', 8],
    ['.5 + 1.', 1.5],
    ['1e3 + 2E-1', 1000.2],
    ['min(3, 1, 2) + max(4, 9)', 10],
    ['abs(-4) + floor(2.7) + ceil(2.1) + sqrt(16)', 13],
    ['round(2.5) + round(-2.5)', 0],
    ['round(1.005, 2)', 1.01],
    ['round(1234.5, -2)', 1200],
    ['log(1000) + ln(exp(2))', 5],
    ['pow(2, 8)', 256],
    ['PI - pi', 0],
    ['e^0', 1],
  ])('%s is %d', (expression, value) => {
    const result = evaluate(expression)
    expect(result).toMatchObject({ ok: true })
    expect(result.ok && result.value).toBeCloseTo(value, 10)
  })

  it.each([
    ['1 +', 'A value is missing at the end of the expression.'],
    ['(1 + 2', 'A closing parenthesis is missing at the end of the expression.'],
    ['1 2', 'Unexpected "2" at character 3.'],
    ['2 $ 3', 'Unexpected "$" at character 3.'],
    ['1 / 0', 'Division by zero at character 3.'],
    ['5 % 0', 'Division by zero at character 3.'],
    ['sqrt(-1)', '"sqrt" has no real value at character 1.'],
    ['10^400', 'The power is too large at character 3.'],
    ['foo(1)', 'Unknown name "foo" at character 1.'],
    ['constructor(1)', 'Unknown name "constructor" at character 1.'],
    ['sqrt 4', '"sqrt" needs parentheses at character 1.'],
    ['pow(2)', '"pow" takes 2 values at character 1.'],
    ['round()', 'Unexpected ")" at character 7.'],
    ['process.exit()', 'Unexpected "." at character 8.'],
    ['   ', 'A value is missing at the end of the expression.'],
  ])('%s is refused with the place', (expression, error) => {
    expect(evaluate(expression)).toEqual({ ok: false, error })
  })

  it('keeps up with nesting as deep as it may be written', () => {
    expect(evaluate(`${'('.repeat(490)}1${')'.repeat(490)}`)).toEqual({ ok: true, value: 1 })
    expect(evaluate(`${'-'.repeat(999)}1`)).toEqual({ ok: true, value: -1 })
    expect(evaluate(`${'2^'.repeat(499)}1`)).toMatchObject({ ok: false })
  })

  it('agrees with the machine on sums and products of whole numbers', () => {
    const terms = fc.array(fc.tuple(fc.constantFrom('+', '-', '*'), fc.integer({ min: 0, max: 99 })), {
      maxLength: 6,
    })
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99 }), terms, (first, rest) => {
        const products = [[1, first]]
        for (const [sign, number] of rest) {
          const last = products.at(-1)
          if (sign === '*' && last !== undefined) last.push(number)
          else products.push([sign === '-' ? -1 : 1, number])
        }
        const wanted = products.reduce(
          (sum, factors) => sum + factors.reduce((one, other) => one * other, 1),
          0,
        )
        const text = `${first}${rest.map(([sign, number]) => ` ${sign} ${number}`).join('')}`
        const result = evaluate(text)
        expect(result.ok && result.value).toBeCloseTo(wanted, 6)
      }),
    )
  })

  it('never throws, whatever is written', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 40, unit: fc.constantFrom(...'0123456789.+-*/%^(), eEpimnaxsqrt') }),
        (text) => void evaluate(text),
      ),
    )
  })
})

describe('math.calculate', () => {
  it.each([
    ['0.1 + 0.2', '0.3'],
    ['1/3', '0.333333333333333'],
    ['-0 * 5', '0'],
    ['2^53 - 1', '9007199254740991'],
    ['10^20', '1e+20'],
    ['2^64', '1.84467440737096e+19'],
  ])('%s reads %s', async (expression, text) => {
    expect(await calculate.run({ expression }, context())).toEqual({
      ok: true,
      blocks: [{ type: 'text', text }],
    })
  })

  it('refuses in words what it can not read', async () => {
    expect(await calculate.run({ expression: '1 +' }, context())).toEqual({
      ok: false,
      code: 'bad_expression',
      message: 'A value is missing at the end of the expression.',
    })
  })
})
