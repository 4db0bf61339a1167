/** The agent key of a page that is opened with one instead of a sign-in; it goes with every request of the page. */

let pageKey: string | null = null

export function setPageKey(key: string | null): void {
  pageKey = key
}

/** Whether this page belongs to the holder of a key. */
export function hasPageKey(): boolean {
  return pageKey !== null
}

/** What a request of this page adds: with a key, no cookie goes along. */
export function keyOptions(): { headers: Record<string, string>; credentials?: RequestCredentials } {
  if (pageKey === null) return { headers: {} }
  return { headers: { authorization: `Bearer ${pageKey}` }, credentials: 'omit' }
}
