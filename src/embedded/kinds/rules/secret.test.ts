import { expect, test } from 'vitest';
import * as fc from 'fast-check';
import type { JsonObject } from '#base/json.ts';
import { fromBase64, toBase64 } from '#base/base64.ts';
import { secretRules } from './secret.ts';
import { created, meta, refusals, updateRefusals } from './testing/check.ts';

test('texts are folded into the data and win', () => {
  const secret = { stringData: { k: 'v' }, data: { k: 'b2xk', z: 'eg==' } };
  expect(created(secretRules, secret)).toEqual({
    metadata: meta,
    type: 'Opaque',
    data: { k: 'dg==', z: 'eg==' },
  });
});

test('texts survive the folding', () => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => fromBase64(toBase64(text)) === text));
});

const of = (type: string, rest: JsonObject): JsonObject => ({ type: `kubernetes.io/${type}`, ...rest });
const redacted = '"<secret contents redacted>"';

test.for<readonly [what: string, secret: JsonObject, complaints: readonly string[]]>([
  ['anything', {}, []],
  ['a way out', { data: { '..': '' } }, [`data[..]: Invalid value: "..": must not be '..'`]],
  [
    'too much',
    { stringData: { a: 'x'.repeat(1_048_577) } },
    ['data: Too long: may not be more than 1048576 bytes'],
  ],
  ['no certificate', of('tls', {}), ['data[tls.crt]: Required value', 'data[tls.key]: Required value']],
  [
    'no JSON',
    of('dockerconfigjson', { stringData: { '.dockerconfigjson': 'x' } }),
    [
      `data[.dockerconfigjson]: Invalid value: ${redacted}: invalid character 'x' looking for beginning of value`,
    ],
  ],
  ['JSON', of('dockerconfigjson', { stringData: { '.dockerconfigjson': '{}' } }), []],
  ['no docker configuration', of('dockercfg', {}), ['data[.dockercfg]: Required value']],
  ['nobody', of('basic-auth', {}), ['data[username]: Required value', 'data[password]: Required value']],
  ['somebody', of('basic-auth', { stringData: { username: 'u' } }), []],
  ['no key', of('ssh-auth', {}), ['data[ssh-privatekey]: Required value']],
  [
    'a token of nobody',
    of('service-account-token', {}),
    ['metadata.annotations[kubernetes.io/service-account.name]: Required value'],
  ],
])('%s', ([, secret, complaints]) => {
  expect(refusals(secretRules, secret)).toEqual(complaints);
});

test('the type is immutable, and the data of an immutable secret too', () => {
  const old = created(secretRules, { immutable: true, data: { a: 'AAAA' } });
  expect(updateRefusals(secretRules, { ...old, type: 'other' }, old)).toEqual([
    'type: Invalid value: "other": field is immutable',
  ]);
  expect(updateRefusals(secretRules, { ...old, stringData: { a: '2' } }, old)).toEqual([
    'data: Forbidden: field is immutable when `immutable` is set',
  ]);
});

test('secrets are selected by type', () => {
  expect(secretRules.selectableFields['type']?.(created(secretRules, {}))).toBe('Opaque');
});
