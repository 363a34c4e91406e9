import { BlockList } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contains, facesOf, ipBits, ipRange, isWithin } from './ip.ts';

test.for<[string, string]>([
  ['127.0.0.1', '::ffff:127.0.0.1'],
  ['10.1.2.3', '::ffff:a01:203'],
  ['::1', '0:0:0:0:0:0:0:1'],
  ['fe80::1', 'fe80::1%eth0'],
  ['1:2:3:4:5:6:7:8', '1:2:3:4:5:6:0.7.0.8'],
  ['2001:db8::', '2001:DB8:0::0'],
])('%s and %s are one address', ([one, other]) => {
  expect(ipBits(one)).toBeDefined();
  expect(ipBits(one)).toBe(ipBits(other));
});

test.for(['', '1.2.3', '1.2.3.256', '01.2.3.4', '::g', '1::2::3', 'localhost', '1.2.3.4 '])(
  '%j is no address',
  (text) => expect(ipBits(text)).toBeUndefined(),
);

test.for([
  '',
  '10.0.0.0/33',
  '10.0.0.0/-1',
  '10.0.0.0/08',
  '10.0.0.0/',
  '::/129',
  '10.0.0.0/8/8',
  'fe80::%a/64',
])('%j is no range', (text) => expect(ipRange(text)).toBeUndefined());

test('addresses that carry another one show it', () => {
  const inner = ipBits('169.254.169.254');
  for (const carrier of ['64:ff9b::a9fe:a9fe', '::169.254.169.254', '2002:a9fe:a9fe::1'])
    expect(facesOf(ipBits(carrier)!)).toContain(inner);
  expect(facesOf(ipBits('::1')!)).toHaveLength(1);
});

test('a range lies within another', () => {
  const range = (text: string) => ipRange(text)!;
  expect(isWithin(range('169.254.20.10'), range('169.254.0.0/16'))).toBe(true);
  expect(isWithin(range('169.254.0.0/16'), range('169.254.0.0/16'))).toBe(true);
  expect(isWithin(range('0.0.0.0/0'), range('169.254.0.0/16'))).toBe(false);
  expect(isWithin(range('::/0'), range('169.254.0.0/16'))).toBe(false);
});

test('ranges contain what those of Node contain', () => {
  const v4 = fc.ipV4();
  fc.assert(
    fc.property(v4, fc.integer({ min: 0, max: 32 }), v4, (net, length, address) => {
      const list = new BlockList();
      list.addSubnet(net, length, 'ipv4');
      expect(contains(ipRange(`${net}/${length}`)!, ipBits(address)!)).toBe(list.check(address, 'ipv4'));
    }),
  );
  const v6 = fc.ipV6();
  fc.assert(
    fc.property(v6, fc.integer({ min: 1, max: 128 }), v6, (net, length, address) => {
      const list = new BlockList();
      list.addSubnet(net, length, 'ipv6');
      expect(contains(ipRange(`${net}/${length}`)!, ipBits(address)!)).toBe(list.check(address, 'ipv6'));
      expect(contains(ipRange(`${net}/${length}`)!, ipBits(net)!)).toBe(true);
    }),
  );
});
