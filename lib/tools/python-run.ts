/** The tool `python.run`: runs Python written by the model over the files of the thread, behind the server's best wall. */
import { z } from 'zod'
import { maxSourceChars } from '#lib/spec/javascript'
import { runPython } from '#lib/spec/python'
import { type ToolContext, tool } from '#lib/spec/tool'

function descriptionWith(files: string): string {
  return `Runs Python 3 in a sandbox and gives what it prints and the value of its last expression. It begins in a copy of the workspace; ${files} Every call begins anew: variables do not stay. load_table(path, sheet=None) reads a sheet of an XLSX or CSV file as a list of dicts with typed values, and has columns, types, sheets and csv(). There is no network, and nothing can be installed; the standard library is there, other packages only if the server has them. A PNG or SVG file that the code writes is shown as a picture.`
}

export const pythonRun = tool({
  name: 'python.run',
  label: 'Run Python',
  group: 'Code',
  keywords: [
    'script',
    'program',
    'compute',
    'data',
    'analysis',
    'csv',
    'excel',
    'xlsx',
    'pandas',
    'statistics',
    'py',
  ],
  description: descriptionWith(
    'what the code makes, changes or removes there is kept, all of it, when it ends by itself.',
  ),
  icon: 'square-code',
  risk: 'write',
  walled: 'python',
  timeoutSeconds: 60,
  aliases: ['code_interpreter', 'run_python', 'execute_python'],
  samples: [
    'What is the average of each column in sales.csv?',
    'Draw the monthly totals as an SVG bar chart.',
  ],
  input: z.object({
    code: z.string().min(1).max(maxSourceChars).meta({
      title: 'Code',
      description: 'Python 3, as in "import statistics; statistics.mean([1, 2, 4])".',
      format: 'python',
    }),
    files: z.array(z.string().min(1).max(4_096)).max(1_000).optional().meta({
      title: 'Files',
      description:
        'The files and folders that the code gets, as in ["data/sales.xlsx"]. Left out: the whole workspace, up to 64 MB.',
    }),
  }),
  reading: {
    description: descriptionWith('what it changes there is thrown away afterwards.'),
    run: (input, context) => run(input, context, false),
  },
  run: (input, context) => run(input, context, true),
})

function run(
  { code, files }: { code: string; files?: string[] | undefined },
  context: ToolContext,
  mayWrite: boolean,
) {
  const script = {
    source: code,
    args: {},
    mode: 'script',
    mayNote: false,
    mayWrite,
    name: 'python.run',
  } as const
  return runPython({ ...script, ...(files && { only: files }) }, context)
}
