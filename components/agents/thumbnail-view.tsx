/** A small picture of a drawing, in the colours of its families. */
import { useMemo } from 'react'
import type { Catalog } from '#lib/spec/catalog'
import type { GraphDigest } from '#lib/spec/digest'
import { type ThumbBox, thumbnailOf } from './thumbnail'
import styles from './thumbnail-view.module.css'

const frame = { width: 360, height: 96, margin: 8 }

export function ThumbnailView({ digest, catalog }: { digest: GraphDigest; catalog: Catalog }) {
  const { boxes, wires } = useMemo(() => thumbnailOf(digest, catalog, frame), [digest, catalog])
  return (
    <svg viewBox={`0 0 ${frame.width} ${frame.height}`} className={styles.thumb} aria-hidden="true">
      <g className={styles.wires}>
        {wires.map((each) => (
          <path key={each.id} d={each.path} />
        ))}
      </g>
      {boxes.map((each) => (
        <Box key={each.id} box={each} />
      ))}
    </svg>
  )
}

function Box({ box }: { box: ThumbBox }) {
  const { x, y, width, height, family } = box
  const side = Math.max(3, Math.min(9, height - 6, width / 4))
  const isLine = width > side + 14
  return (
    <g data-family={family}>
      <rect className={styles.box} x={x} y={y} width={width} height={height} rx={3} />
      <rect className={styles.tile} x={x + 3} y={y + 3} width={side} height={side} rx={1.5} />
      {isLine && (
        <rect
          className={styles.line}
          x={x + side + 6}
          y={y + 2 + side / 2}
          width={Math.min(28, width - side - 12)}
          height={2}
          rx={1}
        />
      )}
    </g>
  )
}
