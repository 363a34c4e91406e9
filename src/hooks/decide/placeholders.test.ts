import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '#base/json.ts';
import { fillJson, fillText, fillUrl } from './placeholders.ts';

const args: ReadonlyMap<string, string> = new Map([
  ['service-name', 'svc.default'],
  ['PodIP', '10.0.0.7'],
  ['PodContainer[0]', 'main'],
  ['v6', 'fd00::7'],
  ['port', '9091'],
  ['hostport', 'web.local:8080'],
  ['path', 'a/b'],
  ['up', '..'],
  ['climbing', 'a/../../b'],
  ['query', 'a&b=c d#e+f%'],
  ['evil', 'evil.com/'],
  ['at', 'x@evil.com'],
  ['empty', ''],
  ['again', '{{ args.PodIP }}'],
  ['base', 'https://api.local:8443/v1'],
  ['scheme', 'https'],
  ['file', 'file:///etc/passwd'],
  ['bad', '99999'],
  ['ü', 'größe'],
]);

test.for([
  ['no placeholder', 'no placeholder'],
  ['{{ args.PodIP }}', '10.0.0.7'],
  ['{{args.PodIP}}', '10.0.0.7'],
  ['{{   args.PodIP\t}}', '10.0.0.7'],
  ['a {{ args.service-name }} b {{ args.PodContainer[0] }} c', 'a svc.default b main c'],
  ['{{ args.again }}', '{{ args.PodIP }}'],
  ['{{ args.empty }}', ''],
  ['id={{ args.query | urlencode }}', 'id=a%26b%3Dc%20d%23e%2Bf%25'],
  ['{"a":{"b":1}}', '{"a":{"b":1}}'],
] as const)('%s becomes %s', ([text, value]) => {
  expect(fillText(text, args)).toEqual({ type: 'filled', value });
});

test.for([
  ['{{ args.PodIP', 'has no end'],
  ['{{ }}', 'empty placeholder'],
  ['{{}}', 'empty placeholder'],
  ['{{ PodIP }}', '{{ PodIP }} is not known'],
  ['{{ args. }}', 'is not known'],
  ['{{ args.wrong }}', '{{ args.wrong }} names no argument: there are service-name'],
] as const)('%s is a problem: %s', ([text, message]) => {
  expect(fillText(text, args)).toEqual({
    type: 'problem',
    message: expect.stringContaining(message) as string,
  });
});

test.for([
  ['http://1.1.1.1:9091', 'http://1.1.1.1:9091'],
  ['http://{{ args.PodIP }}:9091', 'http://10.0.0.7:9091'],
  ['http://{{ args.v6 }}:9091', 'http://[fd00::7]:9091'],
  ['http://[{{ args.v6 }}]:9091', 'http://[fd00::7]:9091'],
  ['http://{{ args.hostport }}/x', 'http://web.local:8080/x'],
  ['http://{{ args.service-name }}.svc:{{ args.port }}/', 'http://svc.default.svc:9091/'],
  ['http://h/{{ args.path }}/c', 'http://h/a/b/c'],
  ['http://h/{{ args.path | urlencode }}/c', 'http://h/a%2Fb/c'],
  ['http://h/{{args.path|urlencode}}', 'http://h/a%2Fb'],
  ['http://h?q={{ args.path | urlencode }}', 'http://h?q=a%2Fb'],
  ['http://h/{{ args.query | urlencode }}', 'http://h/a%26b%3Dc%20d%23e%2Bf%25'],
  ['http://{{ args.PodIP | urlencode }}/', 'http://10.0.0.7/'],
  ['http://h/{{ args.query }}', 'http://h/a&b=c%20d%23e+f%25'],
  ['http://h/?q={{ args.query }}&r=1', 'http://h/?q=a%26b%3Dc%20d%23e%2Bf%25&r=1'],
  ['http://h?q={{ args.path }}', 'http://h?q=a/b'],
  ['http://h/#{{ args.path }}', 'http://h/#a/b'],
  ['http://h/{{ args.ü }}', 'http://h/gr%C3%B6%C3%9Fe'],
  ['{{ args.base }}/users/{{ args.path }}', 'https://api.local:8443/v1/users/a/b'],
  ['{{ args.scheme }}://h/', 'https://h/'],
  ['http://h/{{ args.up }}x', 'http://h/..x'],
] as const)('the URL %s becomes %s', ([text, value]) => {
  expect(fillUrl(text, args)).toEqual({ type: 'filled', value });
});

test.for([
  ['http://{{ args.evil }}:80', 'host and port'],
  ['http://{{ args.at }}/', 'host and port'],
  ['http://{{ args.empty }}/', 'host and port'],
  ['http://h:{{ args.bad }}/', '"h:99999"'],
  ['http://h:{{ args.service-name }}/', '"h:svc.default"'],
  ['http://{{ args.hostport }}.internal/', '"web.local:8080.internal"'],
  ['http://h/{{ args.up }}/x', '. and ..'],
  ['http://h/.{{ args.empty }}/x', '. and ..'],
  ['http://h/x/{{ args.climbing }}', '. and ..'],
  ['http://h/{{ args.up | urlencode }}/x', '. and ..'],
  ['http://h/{{ args.path | shout }}', '{{ args.path | shout }} names no argument'],
  ['{{ args.file }}', 'does not begin like one'],
  ['{{ args.port }}://h/', 'not http or https'],
  ['ht{{ args.port }}://h/', 'inside the scheme'],
  ['http://{{ args.wrong }}/', 'names no argument'],
] as const)('the URL %s is a problem: %s', ([text, message]) => {
  expect(fillUrl(text, args)).toEqual({
    type: 'problem',
    message: expect.stringContaining(message) as string,
  });
});

test('no value changes the structure of a URL', () => {
  const template = 'http://host:80/a/{{ args.p }}/b?x={{ args.q }}&y=1#{{ args.f }}';
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), fc.string(), (p, q, f) => {
      const filled = fillUrl(template, new Map(Object.entries({ p, q, f })));
      if (filled.type === 'problem') {
        expect(p.split('/').some((segment) => /^\.{1,2}$/.test(segment))).toBe(true);
        return;
      }
      const url = new URL(filled.value);
      expect(url.host).toBe('host');
      expect(decodeURIComponent(url.pathname)).toBe(`/a/${p.toWellFormed()}/b`);
      expect([...url.searchParams.keys()]).toEqual(['x', 'y']);
      expect(url.searchParams.get('x')).toBe(q.toWellFormed());
    }),
  );
});

test('a host is never left', () => {
  const pieces = fc.constantFrom(
    'a',
    '.',
    ':',
    '/',
    '@',
    '?',
    '#',
    '\\',
    '[',
    ']',
    '%2f',
    '1',
    '-',
    ' ',
    '\t',
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 8 }), (value) => {
      const filled = fillUrl('http://{{ args.h }}.internal:80/x', new Map([['h', value.join('')]]));
      if (filled.type === 'problem') return;
      const url = new URL(filled.value);
      expect([url.hostname.endsWith('.internal'), url.pathname]).toEqual([true, '/x']);
    }),
    { numRuns: 2000 },
  );
});

test('texts inside JSON are filled, keys are not', () => {
  const json: Json = { '{{ args.PodIP }}': ['{{ args.PodIP }}', 1, null, { a: 'x {{ args.port }}' }] };
  expect(fillJson(json, args)).toEqual({
    type: 'filled',
    value: { '{{ args.PodIP }}': ['10.0.0.7', 1, null, { a: 'x 9091' }] },
  });
  expect(fillJson({ a: 9_007_199_254_740_993n }, args)).toEqual({
    type: 'filled',
    value: { a: 9_007_199_254_740_993n },
  });
  expect(fillJson({ a: ['{{ args.wrong }}'] }, args)).toMatchObject({ type: 'problem' });
  expect(fillJson(JSON.parse('{"__proto__":{"a":"{{ args.port }}"}}') as Json, args)).toMatchObject({
    value: JSON.parse('{"__proto__":{"a":"9091"}}') as Json,
  });
});

test('what is filled in is bounded', () => {
  const large = new Map([['x', 'y'.repeat(65_536)]]);
  const text = '{{ args.x }}'.repeat(100);
  for (const filled of [fillText(text, large), fillUrl(`http://h/${text}`, large), fillJson([text], large)])
    expect(filled).toMatchObject({
      type: 'problem',
      message: expect.stringContaining('longer than') as string,
    });
  let deep: Json = 'x';
  for (let i = 0; i < 5000; i += 1) deep = [deep];
  expect(fillJson(deep, args)).toMatchObject({ type: 'problem' });
});

test('values are put in once and as they are', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (value, around) => {
      const text = around.replaceAll('{', '');
      expect(fillText(`${text}{{ args.a }}${text}`, new Map([['a', value]]))).toEqual({
        type: 'filled',
        value: `${text}${value}${text}`,
      });
    }),
  );
});
