import type { Static } from 'typebox';
import { Type } from '#schema/kind/type.ts';
import { expect, test } from 'vitest';
import type { Frozen } from '#schema/kind/kind.ts';
import { askOneOf } from '#hooks/controller/ask-provider.ts';
import { filledFields } from '#hooks/decide/placeholder-fields.ts';
import { providerFindings } from '#hooks/decide/provider-findings.ts';
import { providerSchema, providerWires, strictProviderSchema } from '#hooks/kinds/providers.ts';
import type { Metric } from '#hooks/kinds/metric.ts';
import type { ProviderAsk } from '#hooks/providers/provider.ts';
import { defineProvider } from '#hooks/providers/wire/provider-wire.ts';

const schema = Type.Object({
  level: Type.Integer({ description: 'The level of the tide in centimetres.' }),
  harbours: Type.Optional(
    Type.Array(Type.Object({ name: Type.String({ description: 'The name of a harbour.' }) }), {
      description: 'The harbours.',
    }),
  ),
});

/** A provider as a newcomer would write it: one object, and how it is called. */
const tideWire = defineProvider({
  schema,
  placeholders: ['harbours[].name'],
  lint: ({ level }) =>
    level < 0 ? [{ severity: 'error', path: 'level', message: 'must not be negative' }] : [],
  resultType: () => 'string',
  withoutCluster: 'always',
});
const askTide: ProviderAsk<Frozen<Static<typeof schema>>> = ({ spec, args }) =>
  Promise.resolve({
    type: 'value',
    result: String(spec.level),
    value: `${spec.level} at ${args.get('harbour')}`,
    evidence: {},
  });

const wires = { ...providerWires, tide: tideWire };
const tide = (level: number): Metric['provider'] & { tide: object } => ({
  tide: { level, harbours: [{ name: '{{ args.harbour }}' }] },
});
const question = {
  namespace: 'default',
  run: { name: 'run', uid: 'uid' },
  serviceAccount: 'default',
  args: new Map([['harbour', 'Hamburg']]),
  attempt: 0,
};
const { signal } = new AbortController();

test('the schemas have the fields of a new provider', () => {
  expect(providerSchema(wires).properties.tide.properties).toEqual(schema.properties);
  const strict = strictProviderSchema(wires);
  expect(Object.keys(strict.properties)).toEqual([...Object.keys(providerWires), 'tide']);
  expect(strict).toMatchObject({
    'x-kubernetes-validations': [
      { message: 'must have exactly one of web, prometheus, kubernetes, job, machine, tide' },
    ],
  });
});

test('its mistakes are found', () => {
  expect(providerFindings({ provider: tide(-1) }, wires)).toEqual([
    { severity: 'error', path: 'provider.tide.level', message: 'must not be negative' },
  ]);
  expect(providerFindings({ provider: tide(3) }, wires)).toEqual([]);
});

test('its placeholders are found', () => {
  expect(filledFields({ provider: tide(3) }, wires)).toEqual([
    { path: 'provider.tide.harbours[0].name', text: '{{ args.harbour }}' },
  ]);
});

test('it is called with its own fields', async () => {
  const ask = askOneOf(wires, { tide: askTide });
  const metric = { name: 'm', provider: tide(3) };
  expect(await ask({ ...question, metric }, signal)).toMatchObject({ type: 'value', value: '3 at Hamburg' });
});

test('a version without it returns an error that names it', async () => {
  const ask = askOneOf(providerWires, {});
  const metric = { name: 'm', provider: tide(3) };
  expect(await ask({ ...question, metric }, signal)).toEqual({
    type: 'error',
    message:
      'metric m: this version does not support the provider tide: update the controller, or name one of web, prometheus, kubernetes, job, machine',
    evidence: {},
  });
});
