/** The tool `math.calculate`: evaluates one arithmetic expression to one number. */
import { z } from 'zod'
import { refuse, text, tool } from '#lib/spec/tool'
import { evaluate } from './expression'

export const calculate = tool({
  name: 'math.calculate',
  label: 'Calculate',
  group: 'Math and time',
  keywords: ['calculator', 'sum', 'add', 'multiply', 'divide', 'percent', 'arithmetic', 'maths', 'number'],
  description:
    'Evaluates one arithmetic expression: + - * / % (remainder), ^, parentheses, percentages ("15% of 80"), min max abs round floor ceil sqrt log (base 10) ln exp pow, pi, e.',
  icon: 'calculator',
  risk: 'read',
  samples: ['What is (17 + 4) * 3?', 'How much is 15 % of 2,480?'],
  input: z.object({
    expression: z
      .string()
      .min(1)
      .max(1_000)
      .meta({ title: 'Expression', description: 'As in "(12.5 + 3) * 2^3".' }),
  }),
  async run({ expression }) {
    const result = evaluate(expression)
    if (!result.ok) return refuse(result.error, 'bad_expression')
    return text(inWords(result.value))
  },
})

/** Safe integers are exact; other numbers have 15 digits, so that 0.1 + 0.2 gives 0.3. */
function inWords(value: number): string {
  if (Number.isSafeInteger(value)) return String(value === 0 ? 0 : value)
  return Number.isInteger(value)
    ? value.toPrecision(15).replace(/\.?0+e/, 'e')
    : String(Number(value.toPrecision(15)))
}
