'use client'
/** A picture that was attached or made, small; other files have none. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#components/data/client'
import { hasPageKey } from '#components/data/page-key'
import type { Artifact } from '#lib/spec/artifact'
import { lineOf } from '#lib/spec/line'
import { pictureTypes } from '#lib/spec/picture'
import styles from './thumbnail.module.css'

const drawing = 'image/svg+xml'
/** Larger drawings are only downloaded: they would keep the browser busy. */
const mostDrawingBytes = 2 * 1024 * 1024

/** Whether the file is a picture that a browser shows as an image element without running anything in it. */
export function isPicture({ mediaType, bytes }: Pick<Artifact, 'mediaType' | 'bytes'>): boolean {
  if (mediaType === drawing) return bytes <= mostDrawingBytes
  return pictureTypes.some((each) => each === mediaType)
}

/** The files to show as pictures. Of a drawing that is there as a PNG too, as charts are, that one is enough. */
export function picturesIn(files: readonly Artifact[]): ReadonlySet<Artifact> {
  const stemOf = ({ path, name }: Artifact) => (path ?? name).replace(/\.[^./]*$/, '')
  const known = new Set(files.filter(({ mediaType }) => mediaType === 'image/png').map(stemOf))
  return new Set(
    files.filter((each) => isPicture(each) && !(each.mediaType === drawing && known.has(stemOf(each)))),
  )
}

export function Thumbnail({ artifact, size }: { artifact: Artifact; size: 'chip' | 'message' }) {
  const [isBroken, setBroken] = useState(false)
  const url = usePictureUrl(artifact)
  if (isBroken || url === undefined) return null
  return (
    // biome-ignore lint/performance/noImgElement: this server sends the picture unchanged
    <img
      className={styles.picture}
      data-size={size}
      data-drawing={artifact.mediaType === drawing || undefined}
      src={url}
      alt={lineOf(artifact.description ?? artifact.name)}
      loading="lazy"
      {...(artifact.picture && { width: artifact.picture.width, height: artifact.picture.height })}
      onError={() => setBroken(true)}
    />
  )
}

/**
 * The address of the file, or the file itself as an address: on the page of a key, which no address can carry, and
 * for a drawing, which the server sends as plain data, so that it can never be opened as a page.
 */
function usePictureUrl({ id, mediaType }: Artifact): string | undefined {
  const isFetched = mediaType === drawing || hasPageKey()
  const { data } = useQuery({
    queryKey: ['artifacts', id],
    queryFn: async () => dataUrlOf(new Blob([await api.artifact(id)], { type: mediaType })),
    enabled: isFetched,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  return isFetched ? data : api.artifactUrl(id)
}

function dataUrlOf(content: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(content)
  })
}
