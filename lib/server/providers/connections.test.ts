import { describe, expect, test } from 'vitest'
import { providers } from '#lib/models'
import { connectionOf, connectionsOf, endpointOf } from './connections'
import { servicesOf } from './homes'

const ownAddresses = servicesOf(providers).flatMap(({ service }) => service?.baseUrl ?? [])

describe('a connection at the address of a service', () => {
  test.each(ownAddresses)('without a key is marked, whichever provider it is: %s', (baseUrl) => {
    for (const name of [...servicesOf(providers).map(({ id }) => id), 'added']) {
      const from = { parts: providers, environment: {}, stored: () => ({ [name]: { baseUrl } }) }
      const connection = connectionOf(from, name)
      expect(connection && endpointOf(connection)).toMatchObject({ name, baseUrl, lacksKey: true })
      const keyed = connectionOf(from, name, { baseUrl, key: 'a-key' })
      expect(keyed && endpointOf(keyed)).not.toHaveProperty('lacksKey')
    }
  })

  test('elsewhere needs no key', () => {
    const baseUrl = 'http://127.0.0.1:11434/v1'
    const stored = () => ({ added: { baseUrl } })
    const [last] = connectionsOf({ parts: providers, environment: {}, stored }).slice(-1)
    expect(last && endpointOf(last)).toEqual({ name: 'added', baseUrl })
  })
})
