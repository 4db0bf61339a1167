/** Agents to start from: the examples that come with the product, and others made from its parts. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { defaultModel } from '#lib/spec/config'
import type { JsonObject } from '#lib/spec/json'
import type { Template, TemplateList } from '#lib/wire/agents'
import { type FirstRun, prepareFirstRun } from './first-run'
import { analyst } from './template-analyst'
import { planner } from './template-planner'

interface Entry extends Omit<Template, 'config' | 'others'> {
  /** The file name of an example, or the config itself. */
  readonly from: string | JsonObject
  /** File names of the agents that it calls. */
  readonly calls?: readonly string[]
}

const model: JsonObject = { provider: defaultModel.provider, name: defaultModel.name }

const entries: readonly Entry[] = [
  {
    id: 'data-analyst',
    title: 'Retail analyst',
    help: 'Reads the tables of a database, then answers with read-only SQL.',
    icon: 'database',
    family: 'tool',
    from: 'retail-analyst.json',
  },
  {
    id: 'web-reader',
    title: 'Web reader',
    help: 'Reads the pages you name, and gives the address of each fact.',
    icon: 'globe',
    family: 'tool',
    from: {
      name: 'web-reader',
      title: 'Web reader',
      description:
        'Reads web pages and answers from them, with the address of each page it used. Ask: Read the web page https://example.com/ and say what it is about.',
      instructions:
        'Answer from web pages. Read every page you are given with web.fetch before you say anything about it; when an answer needs another page that one links to, read that as well. After each fact put the address of the page it stands on. Say so when the pages do not tell.',
      model,
      tools: [{ use: 'builtin', tools: ['web.fetch'] }],
      policies: [
        { use: 'steps', max: 8 },
        { use: 'results', appliesTo: ['web.fetch'], maxChars: 20_000 },
      ],
    },
  },
  {
    id: 'researcher',
    title: 'Researcher',
    help: 'Searches the web, reads pages and writes a report with numbered sources.',
    icon: 'telescope',
    family: 'tool',
    from: 'web/researcher.json',
  },
  {
    id: 'file-writer',
    title: 'File writer',
    help: 'Writes and edits text files in its workspace, for you to download.',
    icon: 'file-plus',
    family: 'tool',
    from: {
      name: 'file-writer',
      title: 'File writer',
      description:
        'Writes texts into files, and edits files you give it. Ask: Write a file "shopping.md" with the text "Milk, bread and apples."',
      instructions:
        'You write and mend text files. Look at a file with files.view before you change it, change no more than what is asked, and say in one sentence which files you wrote.',
      model,
      tools: [
        {
          use: 'builtin',
          tools: [
            'files.list',
            'files.view',
            'files.search',
            'files.create',
            'files.str_replace',
            'files.insert',
          ],
        },
      ],
      policies: [{ use: 'steps', max: 12 }],
    },
  },
  {
    id: 'report-writer',
    title: 'Report writer',
    help: 'Reads figures, formats them with JavaScript of your own, and writes a report into a file.',
    icon: 'file-text',
    family: 'tool',
    from: 'report-writer.json',
  },
  {
    id: 'calculator',
    title: 'Calculator',
    help: 'Does exact arithmetic and knows the time. The smallest agent with tools.',
    icon: 'calculator',
    family: 'tool',
    from: 'calculator.json',
  },
  {
    id: 'analyst',
    title: 'Analyst',
    help: 'Takes a workbook, computes on it in Python, draws a chart and writes a report.',
    icon: 'chart-column',
    family: 'tool',
    from: analyst,
  },
  {
    id: 'party-planner',
    title: 'Party planner',
    help: 'Asks you what it needs to know, with choices and a form, and waits for your answers.',
    icon: 'message-circle-question',
    family: 'tool',
    from: {
      name: 'party-planner',
      title: 'Party planner',
      description:
        'Plans an occasion with you: it asks what it has to know, and goes on when you have answered. Ask: Plan a birthday party.',
      instructions:
        'Plan occasions with the person you work for. Ask with human.ask what you have to know: give choices when there are a few likely answers, and a form for a date, a number of guests and the like. When you know enough, give the plan in a few sentences.',
      model,
      tools: [{ use: 'builtin', tools: ['human.ask', 'time.now'] }],
      policies: [{ use: 'steps', max: 10 }],
    },
  },
  {
    id: 'support-desk',
    title: 'Support desk',
    help: 'Looks orders up, and asks a person before it gives money back.',
    icon: 'hand',
    family: 'policy',
    from: 'desk/support-desk.json',
  },
  {
    id: 'javascript',
    title: 'Programmer',
    help: 'Writes short programs and runs them in the sandbox, over files you give it.',
    icon: 'square-code',
    family: 'tool',
    from: {
      name: 'programmer',
      title: 'Programmer',
      description:
        'Answers by writing JavaScript and running it in the sandbox. Ask: What is the 50th Fibonacci number? How many Fridays the 13th are there from 2020 to 2030?',
      instructions:
        'Answer by writing short JavaScript programs and running them with javascript.run. Check a result before you tell it; when a program fails, read the error, mend the program and run it again.',
      model,
      tools: [{ use: 'builtin', tools: ['javascript.run', 'files.list', 'files.view', 'files.create'] }],
      policies: [
        { use: 'steps', max: 12 },
        { use: 'timeout', appliesTo: ['javascript.run'], seconds: 20 },
      ],
    },
  },
  {
    id: 'coder',
    title: 'Coder',
    help: 'Mends programs in its workspace: reads the code, runs its tests in Python, and looks around with a shell.',
    icon: 'square-terminal',
    family: 'tool',
    from: 'coder/coder.json',
  },
  {
    id: 'planner',
    title: 'Planner',
    help: 'Plans an analysis in steps, shows how far it is, and follows the plan when you change it.',
    icon: 'list-checks',
    family: 'tool',
    from: planner,
  },
  {
    id: 'plan-execute',
    title: 'Plan and execute',
    help: 'Splits a question into tasks, has two other agents work on them side by side, and sums up.',
    icon: 'split',
    family: 'tool',
    from: 'plan-execute/plan-execute.json',
    calls: ['plan-execute/revenue-worker.json', 'plan-execute/customer-worker.json'],
  },
  {
    id: 'guarded-analyst',
    title: 'Guarded analyst',
    help: 'Shows policies at work: it may read the structure of a database, but none of its rows.',
    icon: 'shield',
    family: 'policy',
    from: 'guarded-analyst.json',
  },
  {
    id: 'blank',
    title: 'Blank agent',
    help: 'An agent and a model. You add the rest.',
    icon: 'bot',
    family: 'agent',
    from: { name: 'untitled', model },
  },
]

/**
 * @param folder the folder of the examples; templates from a missing folder or file are left out
 * @param firstRun how they are prepared for a first run; without it they stay as they are
 */
export function readTemplates(folder: string | undefined, firstRun?: FirstRun): TemplateList {
  const items = entries.flatMap(({ from, calls = [], ...shown }): Template[] => {
    const config = typeof from === 'string' ? exampleIn(folder, from) : from
    const others = calls.flatMap((file) => {
      const other = exampleIn(folder, file)
      return other === undefined ? [] : [other]
    })
    if (config === undefined || others.length < calls.length) return []
    const prepared = others.map((each) => prepareFirstRun(each, firstRun))
    return [
      {
        ...shown,
        config: prepareFirstRun(config, firstRun),
        ...(prepared.length > 0 && { others: prepared }),
      },
    ]
  })
  return { items }
}

function exampleIn(folder: string | undefined, file: string): JsonObject | undefined {
  if (folder === undefined) return undefined
  try {
    return JSON.parse(readFileSync(path.join(folder, file), 'utf8'))
  } catch {
    return undefined
  }
}
