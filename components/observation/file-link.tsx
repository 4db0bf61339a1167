/** A file by its name; a click saves it. */

import { api } from '#components/data/client'
import { Line } from '#components/ui/line'
import type { Artifact } from '#lib/spec/artifact'
import { lineOf } from '#lib/spec/line'

export function FileLink({ artifact: { id, name }, name: shown }: { artifact: Artifact; name?: string }) {
  return (
    <a
      href={api.artifactUrl(id)}
      download={name}
      title={`Save ${lineOf(name)}`}
      // The row around it has a click of its own.
      onClick={(event) => event.stopPropagation()}
    >
      <Line text={shown ?? name} />
    </a>
  )
}
