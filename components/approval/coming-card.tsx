'use client'
/** A waiting card whose code, with its forms, is loaded when the first call waits for a person. */
import dynamic from 'next/dynamic'

export const ComingCard = dynamic(() => import('./waiting-card').then((each) => each.WaitingCard), {
  ssr: false,
  loading: () => <div data-coming aria-busy="true" />,
})
