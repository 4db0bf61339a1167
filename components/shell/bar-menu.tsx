'use client'
/** The bar's menu in a window of one column: the page's actions, then the search and the other pages. */
import { useOpen } from '#components/commands/commands-context'
import { useGoTo } from '#components/commands/use-go-to'
import { Menu, type MenuItem } from '#components/ui/menu'
import { places } from './places'
import styles from './top-bar.module.css'

export function BarMenu({ items }: { items: readonly MenuItem[] }) {
  const open = useOpen()
  const goTo = useGoTo()
  const always: readonly MenuItem[] = [
    { label: 'Search', icon: 'search', beginsGroup: items.length > 0, run: () => open('search') },
    ...places.map(({ href, label, icon }) => ({ label, icon, run: () => goTo(href) })),
  ]
  return (
    <div className={styles.menu}>
      <Menu label="More" items={[...items, ...always]} />
    </div>
  )
}
