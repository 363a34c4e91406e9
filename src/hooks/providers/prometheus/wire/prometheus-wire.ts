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
      description: 'URL of the server, such as http://prometheus:9090. {{ args.NAME }} is replaced.',
      minLength: 1,
      maxLength: 4096,
    }),
    query: Type.String({
      description: 'Query in PromQL. {{ args.NAME }} is replaced.',
      minLength: 1,
      maxLength: 65_536,
    }),
    range: Type.Optional(
      Type.Object(
        {
          last: span('Length of the range, which ends now.'),
          step: span('Resolution of the range.'),
        },
        { description: 'Makes a range query. The result is a list of all values, series after series.' },
      ),
    ),
    headers,
    timeoutSeconds: timeoutSeconds(30),
    ...tlsFields,
  },
  {
    description:
      'Queries Prometheus. The result of a scalar is a number, that of a vector a list of numbers.',
  },
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
