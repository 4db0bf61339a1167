/** A file shown by its name; a click downloads it. */

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
      // The row around it handles clicks too.
      onClick={(event) => event.stopPropagation()}
    >
      <Line text={shown ?? name} />
    </a>
  )
}
