/** `loopwright dry-run`: reports what would happen to one call of an agent, and why, without running it. */
import type { ExplainedOutcome, Explanation, StageAsked } from '#lib/agent/call/explain'
import { start } from '#lib/agent/state/start'
import { assemble } from '#lib/server/agents/assemble'
import { explainCall, freshState } from '#lib/server/agents/dry-run'
import { readOutbound } from '#lib/server/environment/environment-outbound'
import { findings, line, readJsonFile } from './agent-file'
import { type CliCommand, exit, readArguments, refuse } from './command'
import { createModels } from './models'
import { plain } from './terminal'

export const dryRun: CliCommand = {
  name: 'dry-run',
  usage: "dry-run <agent.json> <tool> '{arguments}'",
  help: 'Checks one call against the policies of an agent, in the order of a run, and prints what would happen; nothing runs. The exit code is 0 when the call would run, and 1 when a person would be asked or the call would be refused.',
  async run(args, terminal, parts) {
    const given = readArguments(args, {}, ['agent’s file', 'tool', 'JSON of the arguments'])
    if (!given.ok) return refuse(terminal, dryRun, given.error)
    const [file = '', tool = '', text = ''] = given.value.words
    const read = await readJsonFile(file, terminal)
    if (!read.ok) {
      terminal.err(`${read.error}\n`)
      return exit.badInput
    }
    const { config, diagnostics } = findings(read.value, parts)
    for (const each of diagnostics) if (each.severity === 'error') terminal.err(line(file, each))
    const outbound = readOutbound(terminal.env, parts.providers)
    if (!outbound.ok) return refuse(terminal, dryRun, outbound.error)
    if (config === null) return exit.badInput
    const models = createModels(outbound.value, parts)
    try {
      const assembled = await assemble(config, models.surroundings)
      if (!assembled.ok) {
        for (const each of assembled.error) terminal.err(line(file, each))
        return exit.badInput
      }
      const told = explainCall(assembled.value, freshState({ start }), { tool, args: text })
      terminal.out(plain(inLines(told)))
      return told.outcome.type === 'runs' ? exit.ok : exit.failed
    } finally {
      models.close()
    }
  },
}

function inLines({ asked, outcome }: Explanation): string {
  return [...asked.map(lineOf), comesTo(outcome)].map((each) => `${each}\n`).join('')
}

function lineOf({ stage, policy, node, verdict, reason }: StageAsked): string {
  const by = policy === null ? '' : ` (${policy}, ${node})`
  return `${verdict.padEnd(7)} ${stage}${by}${reason === undefined ? '' : `: ${reason}`}`
}

function comesTo(outcome: ExplainedOutcome): string {
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
