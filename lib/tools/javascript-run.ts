/**
 * The tool `javascript.run`: runs JavaScript written by the model, for anything that it
 * should not calculate itself.
 */
import { z } from 'zod'
import { maxSourceChars, runJavascript } from '#lib/spec/javascript'
import { tool } from '#lib/spec/tool'

function descriptionWith(files: string): string {
  return `Runs JavaScript in a sandbox and gives what it returns. The code is the body of an async function: end it with "return". ${files}; console.log shows progress. There is no network, no import and no Node.js.`
}

export const javascriptRun = tool({
  name: 'javascript.run',
  label: 'Run JavaScript',
  group: 'Code',
  keywords: ['script', 'program', 'function', 'eval', 'compute', 'python', 'js'],
  description: descriptionWith(
    'files.read(path) and files.write(path, text) reach the workspace and give promises',
  ),
  icon: 'square-code',
  risk: 'write',
  walled: 'javascript',
  timeoutSeconds: 20,
  samples: ['What is the 50th Fibonacci number?', 'How many Fridays the 13th are there from 2020 to 2030?'],
  input: z.object({
    code: z.string().min(1).max(maxSourceChars).meta({
      title: 'Code',
      description: 'The body of an async function, as in "return 6 * 7".',
      format: 'code',
    }),
  }),
  reading: {
    description: descriptionWith(
      'files.read(path) reads a text of the workspace and gives a promise; nothing can be written',
    ),
    run: ({ code }, context) => runJavascript({ source: code, args: {}, mayWrite: false }, context),
  },
  run: ({ code }, context) => runJavascript({ source: code, args: {}, mayWrite: true }, context),
})
