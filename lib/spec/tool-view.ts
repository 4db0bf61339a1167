/** Keys of a tool entry for how the model sees its tools, how failed calls are repeated, and what a call and its result do. */
import { z } from 'zod'
import { atMost } from './json'
import { maxPathChars, pathForm, readPath } from './json-path'
import { finishName } from './tool'
import { onDuplicate } from './tool-names'

/** The most tools of an entry that can have a value of their own under one key. */
const mostTools = 500

const toolNameForm = 'letters, digits, dots, hyphens and underscores, as in "orders.search", and not "finish"'

/** A name for a tool. “finish” is the tool that ends a run, whatever the entries say. */
const toolName = z
  .string()
  .max(64)
  .regex(/^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/, toolNameForm)
  .refine((name) => name !== finishName, toolNameForm)

const xmlForm =
  'names with single spaces between them: the tool’s, then those of parameters, as in "editor path"'

/** A value for each tool of an entry, by the tool's name. */
const perTool = <T extends z.ZodType<string | number | boolean>>(value: T) =>
  atMost(z.record(z.string().max(256), value), mostTools).default({})

/** The weight of a tool that has no other. */
export const usualWeight = 100

export const toolViewKeys = {
  description: perTool(z.string().min(1).max(4_096)).meta({
    title: 'Description for the model',
    description: 'By tool name: what the model reads in place of the tool’s own description.',
    format: 'per-tool',
    multiline: true,
  }),
  rename: perTool(toolName)
    .refine((names) => !Object.hasOwn(names, finishName), `"${finishName}" cannot be renamed`)
    .meta({
      title: 'Rename',
      description:
        'By tool name: the name that the model calls it by. Policies, presets and the other settings keep using the tool’s own name.',
      format: 'per-tool',
    }),
  example: perTool(z.string().min(1).max(4_096)).meta({
    title: 'Example',
    description:
      'By tool name: arguments as a JSON object, shown as a call in the format of the model, or any text. Only formats that describe tools in the instructions have it.',
    format: 'per-tool',
    multiline: true,
    unset: 'none',
  }),
  xml: perTool(
    z
      .string()
      .max(512)
      .regex(/^[A-Za-z_][A-Za-z0-9_.-]*( [A-Za-z_][A-Za-z0-9_.-]*)*$/, xmlForm),
  ).meta({
    title: 'Form in XML',
    description:
      'By tool name: the name that a call has in the XML format, then the parameters that are attributes of its tag, as in "editor path". The other parameters are elements.',
    format: 'per-tool',
  }),
  retry: z
    .strictObject({
      max: z.int().min(1).max(10).default(2).meta({ title: 'Further tries', unit: 'tries' }),
      backoffMs: z.int().min(0).max(60_000).default(500).meta({
        title: 'Wait',
        description: 'Before the first further try; it doubles with each.',
        unit: 'ms',
      }),
    })
    .optional()
    .meta({
      title: 'Retry',
      description:
        'Tries a failed call again, in place of the retry policies. Only for tools that change nothing or may run twice.',
    }),
  final: z.boolean().default(false).meta({
    title: 'Ends the run',
    description:
      'The result of a successful call is the answer of the run, and the model is not asked again. If the agent has an output schema, only a result that fits it ends the run.',
  }),
  background: z.boolean().default(false).meta({
    title: 'Background',
    description:
      'The model goes on while a call runs, and reads its result in a later step. The run ends only when all its calls have. Has no effect on a tool that ends the run.',
  }),
  pick: perTool(
    z
      .string()
      .max(maxPathChars)
      .refine((text) => readPath(text) !== undefined, pathForm),
  ).meta({
    title: 'Pick from the result',
    description:
      'By tool name: a path into the result, as in $.items[*].name. The model reads only what the path finds.',
    format: 'per-tool',
  }),
  onDuplicate: onDuplicate.default('raise').meta({
    title: 'If a name is taken',
    description:
      'What happens to a tool of this part whose name an earlier part offers already: raise is an error, override replaces the earlier tool, skip leaves this one out, rename adds a number to its name.',
  }),
  weight: perTool(z.int().min(0).max(1_000).default(usualWeight)).meta({
    title: 'Weight',
    description:
      'By tool name: heavier tools come earlier in the list that the model reads, whatever part offers them. Tools of equal weight keep the order of the parts.',
    format: 'per-tool',
  }),
  core: perTool(z.boolean().default(false)).meta({
    title: 'Always offered',
    description:
      'By tool name: the tool is offered even while its group is off. Policies that deny it still apply.',
    format: 'per-tool',
  }),
  visible: perTool(z.boolean().default(true)).meta({
    title: 'Shown to the model',
    description:
      'By tool name: a tool that is not shown is left out of the list that the model reads. It can still be called by its name, under the same policies.',
    format: 'per-tool',
  }),
}
