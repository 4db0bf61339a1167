/** The tool `finish`: ends the run with its answer. */
import { z } from 'zod'
import { finishName, text, tool } from '#lib/spec/tool'

export const finish = tool({
  name: finishName,
  label: 'Finish',
  keywords: ['end', 'done', 'answer', 'stop'],
  description: 'Gives the final answer and ends the run. Call it once, when all is done.',
  icon: 'flag',
  risk: 'read',
  ends: true,
  aliases: ['generate_response'],
  argumentAliases: { response: 'answer' },
  input: z.object({
    answer: z
      .string()
      .min(1)
      .max(262_144)
      .meta({ title: 'Answer', description: 'The whole answer, as the person is to read it.' }),
  }),
  async run({ answer }) {
    return text(answer)
  },
})
