/** Addresses of sections of the Settings page. Pure. */

export interface SettingsTarget {
  /** The page that the back link returns to. */
  readonly back: string
  readonly section: string
  /** The model whose price is wanted, and its provider or endpoint: its row is opened, or a new one filled in. */
  readonly price?: { readonly model: string; readonly provider: string } | undefined
}

export function settingsHref({ back, section, price }: SettingsTarget): string {
  const query = new URLSearchParams({ back })
  if (price !== undefined && section === 'prices') {
    query.set('price', price.model)
    query.set('at', price.provider)
  }
  return `/settings?${query}#${section}`
}

/** The same address with another section, and the price that is wanted there. */
export function otherSection(href: string, section: string, price: SettingsTarget['price']): string {
  const { searchParams } = new URL(href, 'http://localhost')
  return settingsHref({ back: searchParams.get('back') ?? '/', section, price })
}
