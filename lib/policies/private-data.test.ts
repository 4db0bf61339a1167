import { describe, expect, test } from 'vitest'
import { took } from '#lib/spec/took.fixture'
import { maskKind, privateKinds } from './private-data'

const all = (text: string) => privateKinds.reduce((masked, kind) => maskKind(kind, masked), text)

describe('e-mail addresses (S1-32)', () => {
  test.each([
    ['write to ann@example.com.', 'write to [email].'],
    ['<ann.b+c@mail.example.co.uk>, bob@x.io', '<[email]>, [email]'],
    ["'o'neil@example.org'", "'[email]'"],
    ['请联系john@example.com谢谢', '请联系[email]谢谢'],
    ['müller@exämple.de', '[email]'],
    ['mailto:ann@example.com?subject=x', 'mailto:[email]?subject=x'],
    ['a@xn--80ak6aa92e.xn--p1ai', '[email]'],
  ])('%s', (given, masked) => expect(all(given)).toBe(masked))

  test.each(['react@19.0.0', 'ann@localhost', '@media print', 'a @ b.com', 'x@y', 'lodash@4.17.21-rc.1'])(
    '%s stays',
    (text) => expect(all(text)).toBe(text),
  )
})

describe('phone numbers (S1-32)', () => {
  test.each([
    '+14155552671',
    '+1 415 555 2671',
    '+1 (415) 555-2671',
    '+1.415.555.2671',
    '+44 20 7946 0958',
    '+44 (0)20 7946 0958',
    '+49 30 1234567',
    '+86 138 1234 5678',
    '+86-13812345678',
    '0049 30 1234567',
    '13812345678',
    '138 1234 5678',
    '138-1234-5678',
    '8613812345678',
    '(415) 555-2671',
    '(415)555-2671',
    '415-555-2671',
    '415.555.2671',
    '1-800-555-0199',
    '020 7946 0958',
    '07700 900123',
    '0161 496 0000',
    '0412 345 678',
    '0120-123-456',
    '06 12 34 56 78',
    '010-12345678',
    '0755-12345678',
    '(010) 12345678',
    '03-1234-5678',
    '090-1234-5678',
    '030 1234567',
  ])('%s', (number) => {
    expect(all(number)).toBe('[phone]')
    expect(all(`call ${number}, please`)).toBe('call [phone], please')
    expect(all(`电话：${number}。`)).toBe('电话：[phone]。')
    expect(all(`{"tel":"${number}"}`)).toBe('{"tel":"[phone]"}')
  })

  test('stand one after the other', () => {
    expect(all('13812345678,13912345678;15012345678')).toBe('[phone],[phone];[phone]')
  })

  test.each([
    '2024-01-15',
    '01-02-2024 10:30',
    '01 02 2024',
    '15.01.2024',
    '2024-01-15T10:00:00+02:00',
    '20240115103000',
    '12345678901',
    '10812345678',
    '1234567',
    '1,234,567.89',
    '$13812345678',
    '¥ 13812345678',
    '13812345678.50',
    '0.13812345678',
    '138123456789',
    'ORD13812345678',
    '192.168.100.200',
    '10.0.0.1:8080',
    '1.2.345.6789',
    '200 300 4000',
    '215 300 4000',
    '978-3-16-148410-0',
    '123-45-6789',
    '550e8400-e29b-41d4-a716-446655440000',
    '1760000000',
    '1760000000000',
    '+5 -3',
    '+12345678',
    '+40.7128-074.0060',
    '3.14159265358979',
    'v1.234.567',
    '00012345',
    '0123-4567-8901',
  ])('%s is none', (text) => {
    expect(all(text)).toBe(text)
    expect(all(`it is ${text} now`)).toBe(`it is ${text} now`)
  })
})

describe('card numbers (S1-32)', () => {
  test.each([
    '4111111111111111',
    '4111 1111 1111 1111',
    '4111-1111-1111-1111',
    '378282246310005',
    '3782 822463 10005',
    '5555555555554444',
    '4222222222222',
    '6222021234567890128',
    '6222 0212 3456 7890 128',
  ])('%s', (number) => {
    expect(all(number)).toBe('[card]')
    expect(all(`2024-01-15 ${number} 12 EUR`)).toBe('2024-01-15 [card] 12 EUR')
    expect(all(`卡号${number}，`)).toBe('卡号[card]，')
    expect(all(`17,${number},3`)).toBe('17,[card],3')
  })

  test.each([
    '4111111111111112',
    '411111111111',
    '41111111111111111111',
    '0.4111111111111111',
    '4111111111111111.5',
    'x4111111111111111',
    '4111111111111111f',
    '1760000000000',
    '0000000000000000',
    '1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8',
  ])('%s is none', (text) => expect(all(text)).toBe(text))
})

test('S1-32 a long text takes no longer by the character than a short one', () => {
  for (const unit of ['a@', 'a.b-c_', '1', '1 ', '0 ', '+1 (', '415-', 'a@b.', '12-', 'aaaaaaaaaaaaaaaa'])
    for (const length of [200_000]) {
      const text = unit.repeat(length / unit.length)
      expect(
        took(() => all(text)),
        unit,
      ).toBeLessThan(2_000)
    }
})
