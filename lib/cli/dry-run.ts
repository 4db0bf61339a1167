/** `loopwright dry-run`: reports what would happen to one call of an agent, and why, without running it. */
import { fold } from '#lib/agent/state/fold'
import { start } from '#lib/agent/state/start'
import { freshState } from '#lib/server/agents/called-agents'
import { dryRunCall } from '#lib/server/agents/dry-run-call'
import { isAppError } from '#lib/spec/errors'
import type { CalledAgent, DryRun } from '#lib/wire/dry-run'
import { line } from './agent-file'
import { type CliCommand, exit, listOption, readArguments, refuse } from './command'
import { readAgent, withAgent } from './open-agent'
import { surroundingOptions } from './surroundings'
import { plain, type Terminal } from './terminal'

const options = {
  request: { type: 'boolean' },
  through: { type: 'string', multiple: true },
  ...surroundingOptions,
} as const

export const dryRun: CliCommand = {
  name: 'dry-run',
  usage:
    "dry-run <agent.json> <tool> '{arguments}' [--through tool] [--request] [--data folder] [--endpoint name=URL] [--knowledge name=folder] [--skills folder]",
  help: 'Checks one call against the policies of an agent, in the order of a run, and prints what would happen; nothing runs. For a call of another agent, which is read from its file in the same folder, it also lists what that agent and those that it calls lack here; with --request it prints on standard output, as JSON, what that agent would send to its model first, and all the rest on standard error. --through checks a call that a called agent makes: it gives the tool by which the agent is called, and is repeated, from the outermost call to the innermost, for an agent that is called by others. The other options are those of run. The exit code is 0 when the call would run, and 1 when a person would be asked or the call would be refused.',
  async run(args, terminal, parts) {
    const given = readArguments(args, options, ['agent’s file', 'tool', 'JSON of the arguments'])
    if (!given.ok) return refuse(terminal, dryRun, given.error)
    const [file = '', tool = '', text = ''] = given.value.words
    const config = await readAgent({ file, script: undefined, terminal, parts })
    if (config === undefined) return exit.badInput
    return await withAgent(
      { command: dryRun, file, config, given: given.value, terminal, parts },
      async ({ assembled, others }) => {
        const engine = { start, fold }
        const withRequest = given.value.options.request === true
        const through = listOption(given.value, 'through')
        const call = { assembled, state: freshState(engine), through, tool, args: text, withRequest }
        const told = await dryRunCall({ ...others, engine }, call).catch(wrongWay)
        if (typeof told === 'string') return refuse(terminal, dryRun, `--through: ${told}`)
        if (withRequest) printRequest(told, terminal)
        else terminal.out(plain(inLines(told)))
        return told.outcome.type === 'runs' ? exit.ok : exit.failed
      },
    )
  },
}

/** Why `through` leads to no agent that can be called. */
function wrongWay(error: unknown): string {
  if (isAppError(error) && error.detail.path?.startsWith('through/')) return error.message
  throw error
}

/** The request alone on standard output, so that it can be read by another program. */
function printRequest(told: DryRun, terminal: Terminal): void {
  const { inside } = told
  terminal.err(plain(inLines(told)))
  if (inside?.request !== undefined) terminal.out(`${escaped(JSON.stringify(inside.request, null, 2))}\n`)
  else terminal.err(plain(`There is no request to show: ${noRequest(told)}\n`))
}

/** Control characters that JSON may hold as they are, and that a terminal would obey. */
function escaped(json: string): string {
  return json.replace(/[\u007f-\u009f]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

function noRequest({ tool, inside, outcome }: DryRun): string {
  if (inside?.problem !== undefined) return inside.problem
  return outcome.type === 'refused' ? 'the call would be refused.' : `${tool} does not call another agent.`
}

function inLines({ asked, outcome, called = [] }: DryRun): string {
  const stages = [...asked.map(lineOf), comesTo(outcome)].map((each) => `${each}\n`)
  return [...stages, ...called.flatMap(linesOf)].join('')
}

/** What was found about an agent that the call would set to work, under the name of its file. */
function linesOf({ agent, findings }: CalledAgent): string[] {
  const name = `${agent}.json`
  return findings.length === 0 ? [`${name}: nothing is lacking\n`] : findings.map((each) => line(name, each))
}

function lineOf({ stage, policy, node, verdict, reason }: DryRun['asked'][number]): string {
  const by = policy === null ? '' : ` (${policy}, ${node})`
  return `${verdict.padEnd(7)} ${stage}${by}${reason === undefined ? '' : `: ${reason}`}`
}

function comesTo(outcome: DryRun['outcome']): string {
  switch (outcome.type) {
    case 'runs':
      return `It would run with ${JSON.stringify(outcome.args)}.`
    case 'asks':
      return `A person would be asked first, about ${JSON.stringify(outcome.args)}.`
    case 'refused':
      return `It would not run (${outcome.code}). The model would read: ${outcome.message}`
  }
  return outcome satisfies never
}
