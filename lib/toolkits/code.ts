/**
 * The toolkit of a single tool that a user wrote in JavaScript; it runs in the
 * sandbox, never in this process.
 */
import { z } from 'zod'
import { maxSourceChars, runJavascript } from '#lib/spec/javascript'
import { isParameters, jsonObject } from '#lib/spec/json'
import type { Tool } from '#lib/spec/tool'
import type { ToolClass } from '#lib/spec/tool-class'
import type { Toolkit } from '#lib/spec/toolkit'

const nameForm = 'up to 64 letters, digits, dots, hyphens and underscores, as in "text.slugify"'
const parametersForm = 'a JSON Schema of an object, as in {"type": "object", "properties": {}}'

/** The code may write files. The config entry can restrict a tool that only computes or reads to that. */
const toolClass: ToolClass = { risk: 'write', effect: 'effect', canOnlyRead: true }

const settings = z.object({
  name: z
    .string()
    .regex(/^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/, nameForm)
    .max(64)
    .meta({ title: 'Name', description: 'The name that the model calls.', form: nameForm }),
  description: z.string().max(4_096).default('').meta({
    title: 'Description',
    description: 'Tells the model what the tool does and when to use it.',
    format: 'multiline',
  }),
  language: z.enum(['javascript']).default('javascript').meta({ title: 'Language' }),
  parameters: jsonObject
    .refine(isParameters, `This must be ${parametersForm}`)
    .default({ type: 'object' })
    .meta({
      title: 'Parameters',
      description: 'The arguments it takes, as JSON Schema.',
      format: 'parameters',
      form: parametersForm,
    }),
  source: z.string().min(1).max(maxSourceChars).meta({
    title: 'Source',
    description:
      'The body of an async function of args; return gives the result. files.read and files.write reach the workspace (with the risk or effect read, only files.read), console.log shows progress. note(text) tells the model something beside the result, which no user reads as the answer. run holds the run, its agent, thread and step.',
    format: 'code',
  }),
})

export const code: Toolkit<typeof settings> = {
  id: 'code',
  label: 'Code tool',
  group: 'Code',
  help: 'A tool of your own in JavaScript. It runs in a sandbox, without network, and with no files but those of its thread.',
  keywords: ['javascript', 'script', 'function', 'custom', 'own', 'program', 'python', 'api'],
  icon: 'code',
  family: 'tool',
  settings,
  scope: { name: 'name' },
  toolClass,
  walledBy: 'language',
  initial: {
    name: 'text.slugify',
    description: 'Makes a short name for an address of a text: small letters and hyphens.',
    parameters: {
      type: 'object',
      properties: { text: { type: 'string', description: 'The text to shorten.' } },
      required: ['text'],
    },
    source: [
      'return args.text',
      "  .normalize('NFKD')",
      '  .toLowerCase()',
      "  .replace(/[^a-z0-9\\s-]/g, '')",
      '  .trim()',
      "  .replace(/[\\s-]+/g, '-')",
    ].join('\n'),
  },
  async open({ name, description, parameters, source }) {
    const tool: Tool = {
      name,
      label: name,
      description,
      icon: 'code',
      risk: toolClass.risk,
      effect: toolClass.effect,
      timeoutSeconds: 20,
      parameters,
      reading: {
        run: (args, context) => runJavascript({ source, args, mayWrite: false, mayNote: true }, context),
      },
      run: (args, context) => runJavascript({ source, args, mayWrite: true, mayNote: true }, context),
    }
    return [tool]
  },
}
