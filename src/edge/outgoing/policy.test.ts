import { isIP } from 'node:net';
import { expect, test } from 'vitest';
import { judgeBy, problemOfPolicy, type OutgoingPolicy } from './policy.ts';

/** As a call is judged: by its name, then by the address it turns out to have. */
function refusal(policy: OutgoingPolicy, host: string, address = host): string | undefined {
  const judge = judgeBy(policy);
  return judge.name(host) ?? (isIP(address) === 0 ? undefined : judge.address(host, address));
}

const open: OutgoingPolicy = {};

test.for<[address: string, what: RegExp]>([
  ['127.0.0.1', /loopback.*embedded mode and in hook test/],
  ['127.8.8.8', /loopback/],
  ['::1', /loopback/],
  ['::ffff:127.0.0.1', /loopback/],
  ['0.0.0.0', /unspecified/],
  ['::', /unspecified/],
  ['169.254.169.254', /cloud metadata/],
  ['::ffff:169.254.169.254', /cloud metadata/],
  ['64:ff9b::a9fe:a9fe', /cloud metadata/],
  ['fd00:ec2::254', /cloud metadata/],
  ['fd00:ec2::23', /cloud metadata/],
  ['fd00:c1::a9fe:a9fe', /cloud metadata/],
  ['fd00:42::42', /cloud metadata/],
  ['100.100.100.200', /cloud metadata/],
  ['168.63.129.16', /cloud metadata/],
  ['169.254.1.1', /link-local/],
  ['fe80::1', /link-local/],
  ['febf::1', /link-local/],
  ['224.0.0.1', /multicast/],
  ['ff02::1', /multicast/],
  ['255.255.255.255', /broadcast/],
  // IPv4 inside of IPv6: translated, mapped by a NAT64 of one's own in each of its forms, tunnelled.
  ['::ffff:0:127.0.0.1', /loopback/],
  ['::ffff:0:a9fe:a9fe', /cloud metadata/],
  ['64:ff9b:1::127.0.0.1', /NAT64/],
  ['64:ff9b:1::a00:1', /NAT64/],
  ['64:ff9b:1:7f00:0:100::', /NAT64/],
  ['64:ff9b:1:ffff:ffff:ffff:ffff:ffff', /NAT64/],
  ['2001:0:102:304:0:0:8080:fefe', /IETF protocols/],
  ['fe80::5efe:127.0.0.1', /link-local/],
  ['2606:4700::5efe:127.0.0.1', /loopback/],
  ['2606:4700::200:5efe:169.254.169.254', /cloud metadata/],
  // The rest of what the registries of special-purpose addresses have and no service can be at.
  ['192.0.0.1', /IETF protocols/],
  ['192.0.0.192', /cloud metadata/],
  ['192.88.99.1', /IETF protocols/],
  ['100::1', /discard/],
  ['100:0:0:1::1', /discard/],
  ['2001:1::1', /IETF protocols/],
  ['2001:2::1', /IETF protocols/],
  ['2001:20::1', /IETF protocols/],
  ['5f00::1', /segment routing/],
])('%s is denied by default', ([address, what]) => {
  expect(refusal(open, address)).toMatch(what);
  expect(refusal(open, 'some.example', address)).toMatch(what);
  expect(refusal({ allowHosts: ['some.example'] }, 'some.example', address)).toMatch(what);
  expect(refusal({ allowCidrs: ['0.0.0.0/0', '::/0'] }, address)).toMatch(what);
});

test.for([
  '1.1.1.1',
  '10.0.0.1',
  '192.168.1.1',
  '100.64.0.1',
  'fd00::1',
  '2606:4700::1111',
  'fec0::1',
  '128.0.0.1',
  '::ffff:0:10.0.0.1',
  '64:ff9b::a00:1',
  '64:ff9a:ffff::1',
  '64:ff9b:2::1',
  '2001:200::1',
  '2001:4860::8888',
  '192.0.1.1',
  '192.0.2.1',
  '198.18.0.1',
  '100:0:0:2::1',
])('%s may be called', (address) => expect(refusal(open, address)).toBeUndefined());

test.for(['metadata.google.internal', 'METADATA.google.internal.', 'metadata', 'metadata.tencentyun.com'])(
  'the name %s is denied by default',
  (name) => {
    expect(refusal(open, name, '10.0.0.1')).toMatch(/cloud metadata/);
    expect(refusal({ allowHosts: ['*.internal', '*.com'] }, name, '10.0.0.1')).toMatch(/metadata/);
  },
);

const allowed: readonly [OutgoingPolicy, host: string, address?: string][] = [
  [{ allowLoopback: true }, '127.0.0.1'],
  [{ allowLoopback: true }, 'localhost', '::1'],
  [{ allowCidrs: ['127.0.0.0/8'] }, '127.0.0.1'],
  [{ allowCidrs: ['169.254.20.10/32'] }, '169.254.20.10'],
  [{ allowCidrs: ['64:ff9b:1::/48'] }, '64:ff9b:1::a00:1'],
  [{ allowCidrs: ['64:ff9b:1::/48'] }, '64:ff9b:1:a00:0:100::'],
  [{ allowCidrs: ['169.254.169.254'] }, '169.254.169.254'],
  [{ allowHosts: ['metadata.google.internal'] }, 'metadata.google.internal', '10.0.0.1'],
  [{ allowHosts: ['a.example'] }, 'A.EXAMPLE.', '10.0.0.1'],
  [{ allowHosts: ['*.example'] }, 'a.b.example', '10.0.0.1'],
  [{ allowCidrs: ['10.0.0.0/8'] }, 'any.example', '10.0.0.1'],
  [{ allowHosts: ['a.example'], allowCidrs: ['10.0.0.0/8'] }, 'a.example', '1.1.1.1'],
  [{ denyHosts: ['b.example'] }, 'a.example', '1.1.1.1'],
  [{ denyCidrs: ['10.0.0.0/8'] }, 'a.example', '11.0.0.1'],
];
test.for(allowed)('%j allows %s %s', ([policy, host, address]) => {
  expect(refusal(policy, host, address)).toBeUndefined();
});

const denied: readonly [OutgoingPolicy, host: string, address: string | undefined, says: RegExp][] = [
  [{ allowHosts: ['*.example'] }, 'example', '1.1.1.1', /not among the hosts/],
  [{ allowHosts: ['*.example'] }, 'badexample', '1.1.1.1', /not among the hosts/],
  [{ allowHosts: ['a.example'] }, '1.1.1.1', undefined, /not among the hosts/],
  [{ allowHosts: ['a.example'], allowCidrs: ['10.0.0.0/8'] }, 'b.example', '1.1.1.1', /does not allow/],
  [{ allowHosts: ['*.example'], denyHosts: ['b.example'] }, 'b.example', '1.1.1.1', /denies/],
  [{ denyHosts: ['*.example'] }, 'b.example.', '1.1.1.1', /denies/],
  [{ denyCidrs: ['10.0.0.0/8'] }, 'a.example', '10.1.1.1', /has the address 10\.1\.1\.1.*denies/],
  [{ denyCidrs: ['10.0.0.0/8'] }, '::ffff:10.1.1.1', undefined, /denies/],
  [{ denyCidrs: ['10.0.0.0/8'], allowCidrs: ['10.0.0.0/8'] }, '10.1.1.1', undefined, /denies/],
  [{ allowLoopback: true, denyCidrs: ['127.0.0.2'] }, '127.0.0.2', undefined, /denies/],
  [{ allowCidrs: ['169.254.0.0/16'] }, '169.254.169.254', undefined, /cloud metadata/],
  [{ denyCidrs: ['10.0.0.0/8'] }, '::ffff:0:10.1.1.1', undefined, /denies/],
  [{ allowCidrs: ['64:ff9b:1::/48'] }, '64:ff9b:1::a9fe:a9fe', undefined, /cloud metadata/],
  [{ allowCidrs: ['64:ff9b:1::/48'] }, '64:ff9b:1:7f00:0:100::', undefined, /loopback/],
  [{ allowCidrs: ['64:ff9b:1::/48'] }, '64:ff9b:1:7f:0:1::', undefined, /loopback/],
  [{ allowCidrs: ['64:ff9b:1::/48'] }, '64:ff9b:1:0:7f:0:100:0', undefined, /loopback/],
  [{ allowCidrs: ['2001::/32'] }, '2001:0:102:304:0:0:8080:fefe', undefined, /loopback/],
  [{ denyHosts: ['b.example'] }, 'b.example..', '1.1.1.1', /empty label/],
  [{ allowHosts: ['b.example'] }, 'b..example', '1.1.1.1', /empty label/],
  [open, 'metadata.google.internal..', '1.1.1.1', /empty label/],
  [open, '.example', '1.1.1.1', /empty label/],
  [open, '...', '1.1.1.1', /empty label/],
];
test.for(denied)('%j denies %s %s', ([policy, host, address, says]) => {
  expect(refusal(policy, host, address)).toMatch(says);
});

test.for<[OutgoingPolicy, RegExp]>([
  [{ allowCidrs: ['10.0.0.0/40'] }, /"10\.0\.0\.0\/40" is not a range.*10\.0\.0\.0\/8/],
  [{ denyCidrs: ['example.com'] }, /is not a range/],
  [{ allowHosts: ['http://a.example'] }, /is not a host.*without scheme/],
  [{ denyHosts: ['a.example:80'] }, /is not a host/],
  [{ denyHosts: ['*'] }, /is not a host/],
  [{ denyHosts: ['a.*.example'] }, /is not a host/],
  [{ denyHosts: ['10.0.0.1'] }, /is an address, not a name/],
])('%j has a problem', ([policy, says]) => {
  expect(problemOfPolicy(policy)).toMatch(says);
  expect(() => judgeBy(policy)).toThrow(says);
});

test('a policy without a problem has none', () => {
  expect(
    problemOfPolicy({ allowHosts: ['a_b.example', '*.c.example'], denyCidrs: ['::/0', '1.2.3.4'] }),
  ).toBeUndefined();
});
