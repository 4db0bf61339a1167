/** The tool `shell.run`: runs a shell script over the files of the thread, behind the best wall of the server. */
import { z } from 'zod'
import { maxSourceChars } from '#lib/spec/javascript'
import { runScript } from '#lib/spec/script'
import { tool } from '#lib/spec/tool'

function descriptionWith(files: string): string {
  return `Runs a bash script in a sandbox and gives its exit code and output. It begins in a copy of the workspace; ${files} There is no network, and nothing can be installed. Common programs such as grep, sed, awk, sort, jq and tar are there on most servers; "command -v NAME" says whether one is.`
}

export const shellRun = tool({
  name: 'shell.run',
  label: 'Run a shell script',
  group: 'Code',
  keywords: ['bash', 'sh', 'terminal', 'command', 'linux', 'grep', 'awk', 'sed', 'unix'],
  description: descriptionWith(
    'what the script makes, changes or removes there is kept, all of it, when the script ends by itself.',
  ),
  icon: 'square-terminal',
  risk: 'write',
  walled: 'shell',
  asksFirst: true,
  timeoutSeconds: 60,
  aliases: ['execute_bash', 'bash', 'run_shell'],
  argumentAliases: { command: 'script', code: 'script', cmd: 'script' },
  samples: [
    'Count the lines of every file in the workspace.',
    'Sort the names in names.txt and remove doubles.',
  ],
  input: z.object({
    script: z.string().min(1).max(maxSourceChars).meta({
      title: 'Script',
      description: 'A bash script, as in "wc -l *.csv | sort -n".',
      format: 'multiline',
    }),
    files: z.array(z.string().min(1).max(4_096)).max(1_000).optional().meta({
      title: 'Files',
      description:
        'The files and folders that the script gets, as in ["data/sales.csv"]. Left out: the whole workspace, up to 64 MB.',
    }),
  }),
  reading: {
    description: descriptionWith('what it changes there is thrown away afterwards.'),
    run: ({ script, files }, context) =>
      runScript({ kind: 'shell', source: script, mayWrite: false, ...(files && { only: files }) }, context),
  },
  run: ({ script, files }, context) =>
    runScript({ kind: 'shell', source: script, mayWrite: true, ...(files && { only: files }) }, context),
})
