/**
 * The toolkit of a single tool that a user wrote in JavaScript or Python; it runs in the
 * sandbox, never in this process.
 */
import { z } from 'zod'
import { maxSourceChars, runJavascript } from '#lib/spec/javascript'
import { isParameters, type JsonObject, jsonObject } from '#lib/spec/json'
import { runPython } from '#lib/spec/python'
import type { Tool, ToolContext, ToolOutput } from '#lib/spec/tool'
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
  language: z.enum(['javascript', 'python']).default('javascript').meta({
    title: 'Language',
    description: 'The language of the source.',
  }),
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
      'JavaScript: the body of an async function of args; return gives the result. files.read and files.write reach the workspace (with the risk or effect read, only files.read), console.log shows progress. note(text) tells the model something beside the result, which no user reads as the answer. run holds the run, its agent, thread and step. Python: defines def run(args) and gives what that returns; it begins in a copy of the workspace and what it changes there is kept, print shows progress, load_table(path, sheet) reads XLSX and CSV, note(text) as above, context holds the run.',
    format: 'code',
  }),
})

export const code: Toolkit<typeof settings> = {
  id: 'code',
  label: 'Code tool',
  group: 'Code',
  help: 'A tool of your own in JavaScript or Python. It runs in a sandbox, without network, and with no files but those of its thread.',
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
  async open({ name, description, language, parameters, source }) {
    const run = language === 'python' ? runInPython : runInJavascript
    const body = (mayWrite: boolean) => (args: JsonObject, context: ToolContext) =>
      run({ name, source, args, mayWrite }, context)
    const tool: Tool = {
      name,
      label: name,
      description,
      icon: 'code',
      risk: toolClass.risk,
      effect: toolClass.effect,
      walled: language,
      // Python may have to start first.
      timeoutSeconds: language === 'python' ? 60 : 20,
      parameters,
      reading: { run: body(false) },
      run: body(true),
    }
    return [tool]
  },
}

interface CodeCall {
  readonly name: string
  readonly source: string
  readonly args: JsonObject
  readonly mayWrite: boolean
}

function runInJavascript({ source, args, mayWrite }: CodeCall, context: ToolContext): Promise<ToolOutput> {
  return runJavascript({ source, args, mayWrite, mayNote: true }, context)
}

function runInPython({ name, source, args, mayWrite }: CodeCall, context: ToolContext): Promise<ToolOutput> {
  return runPython({ name, source, args, mayWrite, mode: 'function', mayNote: true }, context)
}
