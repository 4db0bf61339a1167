/** What `run.started` records of the config: the model, the protocol, and the tools offered and withheld. */
import type { EventOf } from '#lib/spec/event'
import type { RunDeps } from './deps'
import type { Offer } from './request/offer'

export type ConfigRecord = Pick<EventOf<'run.started'>, 'model' | 'protocol' | 'tools'>

export function beginningOf(
  { model, codec }: Pick<RunDeps, 'model' | 'codec'>,
  { offered, withheld }: Offer,
): ConfigRecord {
  const { format, resultPlacement } = codec
  return {
    model: { provider: model.provider, name: model.name },
    protocol: { format, resultPlacement },
    tools: {
      offered: offered.map(({ name, node, ends }) => ({ name, node, ...(ends && { ends: true as const }) })),
      withheld: [...withheld],
    },
  }
}
