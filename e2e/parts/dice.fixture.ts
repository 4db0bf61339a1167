/** A tool for the test of adding parts: throws dice that always show the same numbers. */
import { z } from 'zod'
import { json, tool } from '#lib/spec/tool'

export const dice = tool({
  name: 'dice.throw',
  label: 'Throw dice',
  description: 'Throws dice and gives their sum.',
  icon: 'dices',
  risk: 'read',
  samples: ['Throw two dice.'],
  input: z.object({ count: z.int().min(1).default(1) }),
  async run({ count }) {
    return json({ sum: count * 4 })
  },
})
