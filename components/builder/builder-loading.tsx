'use client'
/** The page before its agent and its code are there. */
import { Loading } from '#components/ui/bits'
import styles from './builder-loading.module.css'

export function BuilderLoading() {
  return <Loading what="the agent" heights={['100%', '100%', '100%']} className={styles.loading} as="main" />
}
