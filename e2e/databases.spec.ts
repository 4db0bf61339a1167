/** Settings → Databases: a PostgreSQL connection is tested, added, changed and removed. */
import { expect } from '@playwright/test'
import { test } from './journey'

test('a connection to PostgreSQL is tested before it is added, and its password is kept when it is changed', async ({
  page,
}) => {
  await page.goto('/settings#databases')
  await page.getByRole('button', { name: 'Add a database' }).click()
  await page.getByRole('radio', { name: 'PostgreSQL' }).click()
  const form = page.getByRole('form', { name: 'Add a PostgreSQL database' })
  await form.getByLabel('Name', { exact: true }).fill('orders')
  await form.getByLabel('Host').fill('127.0.0.1')
  await form.getByLabel('Port').fill('1')
  await form.getByLabel('Database', { exact: true }).fill('shop')
  await form.getByLabel('Role', { exact: true }).fill('agent_reader')
  await form.getByLabel('Password', { exact: true }).fill('a-long-password')
  await expect(form.getByLabel('Encryption')).toHaveValue('off')
  await form.getByRole('button', { name: 'Test' }).click()
  await expect(form.getByRole('status')).toContainText('127.0.0.1:1 does not accept connections.')
  await form.getByRole('button', { name: 'Add database' }).click()
  const row = page.getByRole('listitem', { name: 'orders', exact: true })
  await expect(row).toContainText('PostgreSQL shop at 127.0.0.1:1 as agent_reader')
  await expect(page.getByRole('listitem', { name: 'DB_ORDERS_PASSWORD' })).toContainText('used by orders')

  await row.getByRole('button', { name: 'Edit orders' }).click()
  const edit = page.getByRole('form', { name: 'Edit orders' })
  await expect(edit.getByLabel('Password', { exact: true })).toHaveAttribute('placeholder', /is kept/)
  await edit.getByRole('switch', { name: 'Writing' }).click()
  await edit.getByLabel('Writing role').fill('agent_writer')
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(row).toContainText('may be written')

  await row.getByRole('button', { name: 'Remove orders' }).click()
  const asked = page.getByRole('dialog', { name: 'Remove orders?' })
  await expect(asked).toContainText('The password DB_ORDERS_PASSWORD is deleted from this server for good.')
  await asked.getByRole('button', { name: 'Keep it' }).click()
  await expect(row).toBeVisible()
  await row.getByRole('button', { name: 'Remove orders' }).click()
  await asked.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(row).toBeHidden()
  await expect(page.getByRole('listitem', { name: 'DB_ORDERS_PASSWORD' })).toBeHidden()
})
