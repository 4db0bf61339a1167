/** Checks the machine-readable output of the command line: exit codes, the answer, and one event a line. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPlaceholders, projectFolder, readFact, recordsMissing, writeFact } from './facts'
import { openProduct, type Product } from './start'

interface Command {
  readonly args: readonly string[]
  readonly code?: number
  /** The lines it wrote to its output; absent where the output is for people. */
  readonly out?: readonly string[]
  readonly isForPeople?: true
}

const file = 'cli/commands.json'
const found: Command[] = []
let product: Product
beforeAll(async () => {
  product = await openProduct()
  const commands = readFact<readonly Command[]>(file)
  const place = createPlaceholders({ [projectFolder]: '<project>' })
  const ran = await product.run(commands.map(({ args }) => args))
  for (const [index, { args, isForPeople }] of commands.entries()) {
    const { code = -1, out = '' } = ran[index] ?? {}
    found.push({ args, code, ...(isForPeople === true ? { isForPeople } : { out: place(out).split('\n') }) })
  }
  const isNew = commands.some(({ code }) => code === undefined)
  if (recordsMissing && isNew)
    writeFact(
      file,
      found.map((now, index) => (commands[index]?.code === undefined ? now : commands[index])),
    )
})
afterAll(async () => {
  await product?.end()
})

test.each(readFact<readonly Command[]>(file).map(({ args }, index) => [args.join(' '), index] as const))(
  'loopwright %s',
  (_, index) => {
    expect(found[index]).toEqual(readFact<readonly Command[]>(file)[index])
  },
)
