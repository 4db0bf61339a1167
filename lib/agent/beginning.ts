/** What `run.started` records of the config: the model, the protocol, and the tools offered and withheld. */
import type { EventOf } from '#lib/spec/event'
import type { ServerText } from '#lib/spec/server-text'
import type { SkillLine } from '#lib/spec/skill'
import type { RunDeps } from './deps'
import { firstByName } from './request/codecs'
import { offeredRecord, type ToolSet } from './request/offering'

export type ConfigRecord = Pick<
  EventOf<'run.started'>,
  'model' | 'protocol' | 'tools' | 'serverTexts' | 'skills'
>

/** What the model reads with its instructions. */
interface Told {
  readonly serverTexts: readonly ServerText[]
  readonly skills: readonly SkillLine[]
}

export function beginningOf(
  { model, codec, tools }: Pick<RunDeps, 'model' | 'codec' | 'tools'>,
  { offered, withheld }: ToolSet,
  { serverTexts = [], skills = [] }: Partial<Told> = {},
): ConfigRecord {
  const { format, resultPlacement } = codec
  const inConfig = firstByName(tools)
  return {
    model: { provider: model.provider, name: model.name },
    protocol: { format, resultPlacement },
    tools: {
      offered: offered.map((tool) => offeredRecord(tool, inConfig)),
      withheld: [...withheld],
    },
    ...(serverTexts.length > 0 && { serverTexts: [...serverTexts] }),
    ...(skills.length > 0 && { skills: [...skills] }),
  }
}
