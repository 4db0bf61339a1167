/** What a call of foreign code used, and the wall that it ran behind, from the metadata of the call. */
import { size } from '#components/run/figures'
import { Icon } from '#components/ui/icon'
import shared from '#components/ui/shared.module.css'
import { isObject, type JsonObject, type JsonValue } from '#lib/spec/json'

export interface CallUse {
  readonly wall?: { readonly name: string; readonly promise: string }
  /** `0.02 s of processor time`, `41 MB of memory`. */
  readonly figures: readonly string[]
}

/** Reads what is there; metadata of other tools has none of it. */
export function readUse({ wall, cpuSeconds, peakMemoryBytes, exitCode }: JsonObject): CallUse {
  const figures = [
    ...(typeof exitCode === 'number' && exitCode !== 0 ? [`exit code ${exitCode}`] : []),
    ...(typeof cpuSeconds === 'number' ? [`${cpuSeconds.toFixed(2)} s of processor time`] : []),
    ...(typeof peakMemoryBytes === 'number' ? [`${size(peakMemoryBytes)} of memory`] : []),
  ]
  if (!isObject(wall) || typeof wall.name !== 'string') return { figures }
  const promise = [...texts(wall.promises), ...texts(wall.gaps).map((each) => `but ${each}`)].join(', ')
  return { figures, wall: { name: wall.name, promise } }
}

function texts(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}

export function CallUseFigures({ metadata }: { metadata: JsonObject }) {
  const { wall, figures } = readUse(metadata)
  return (
    <>
      {wall !== undefined && (
        <span className={shared.inlineRow} title={wall.promise}>
          <Icon name="shield" size={12} />
          {wall.name}
        </span>
      )}
      {figures.map((each) => (
        <span key={each}>{each}</span>
      ))}
    </>
  )
}
