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

/** Whether the file is a picture of a kind that every browser shows without running anything in it. */
export function isPicture({ mediaType }: Pick<Artifact, 'mediaType'>): boolean {
  return pictureTypes.some((each) => each === mediaType)
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
      src={url}
      alt={lineOf(artifact.description ?? artifact.name)}
      loading="lazy"
      {...(artifact.picture && { width: artifact.picture.width, height: artifact.picture.height })}
      onError={() => setBroken(true)}
    />
  )
}

/** The address of the file. On the page of a key, which no address can carry, the file itself as an address. */
function usePictureUrl({ id }: Artifact): string | undefined {
  const isFetched = hasPageKey()
  const { data } = useQuery({
    queryKey: ['artifacts', id],
    queryFn: async () => dataUrlOf(await api.artifact(id)),
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
