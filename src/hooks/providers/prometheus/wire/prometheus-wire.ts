import { Type } from '#schema/kind/type.ts';
import { durationPattern } from '#base/duration.ts';
import {
  addressFindings,
  headerFindings,
  headers,
  headerSecrets,
  timeoutSeconds,
  tlsFields,
} from '#hooks/providers/wire/http-fields.ts';
import { defineProvider, type SpecOf } from '#hooks/providers/wire/provider-wire.ts';

const span = (description: string) => Type.String({ description, pattern: durationPattern, maxLength: 40 });

const schema = Type.Object(
  {
    address: Type.String({
      description: 'The address of the server: http://prometheus:9090. {{ args.NAME }} is filled in.',
      minLength: 1,
      maxLength: 4096,
    }),
    query: Type.String({
      description: 'The question in PromQL; {{ args.NAME }} is filled in.',
      minLength: 1,
      maxLength: 65_536,
    }),
    range: Type.Optional(
      Type.Object(
        {
          last: span('How far back, counted from now.'),
          step: span('The distance of the points.'),
        },
        { description: 'Ask for a span of time; result is the list of all points, series after series.' },
      ),
    ),
    headers,
    timeoutSeconds: timeoutSeconds(30),
    ...tlsFields,
  },
  { description: 'Ask Prometheus: a scalar is a number, a vector a list of numbers.' },
);

/** A Prometheus server. */
export const prometheusWire = defineProvider({
  schema,
  placeholders: ['address', 'query', 'headers[].value'],
  lint: ({ address, headers: list }) => [...addressFindings('address', address), ...headerFindings(list)],
  resultType: ({ range }) => (range === undefined ? 'floatOrFloats' : 'floats'),
  address: 'address',
  secrets: ({ headers: list }) => headerSecrets(list),
  withoutCluster: 'always',
});

export type PrometheusProvider = SpecOf<typeof prometheusWire>;
