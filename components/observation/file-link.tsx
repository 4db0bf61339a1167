'use client'
/** A file shown by its name; a click downloads it. */

import { type MouseEvent, useState } from 'react'
import { api } from '#components/data/client'
import { hasPageKey } from '#components/data/page-key'
import { download } from '#components/ui/download'
import { Line } from '#components/ui/line'
import { describeError } from '#components/ui/notice'
import type { Artifact } from '#lib/spec/artifact'
import { lineOf } from '#lib/spec/line'

export function FileLink({ artifact: { id, name }, name: shown }: { artifact: Artifact; name?: string }) {
  const [fault, setFault] = useState<string | null>(null)
  const save = (event: MouseEvent) => {
    // The row around it handles clicks too.
    event.stopPropagation()
    // A link cannot send the key of the page.
    if (!hasPageKey()) return
    event.preventDefault()
    setFault(null)
    api.artifact(id).then(
      (content) => download({ name, content }),
      (error: unknown) => setFault(describeError(error).what),
    )
  }
  return (
    <>
      <a href={api.artifactUrl(id)} download={name} title={`Save ${lineOf(name)}`} onClick={save}>
        <Line text={shown ?? name} />
      </a>
      {fault !== null && <span role="alert">{fault}</span>}
    </>
  )
}
