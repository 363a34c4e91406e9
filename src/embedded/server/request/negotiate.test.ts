import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ApiError } from '#kube/status.ts';
import { accepted, objectFormat, type Format } from './negotiate.ts';

const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const partial = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';

test.for<readonly [header: string | undefined, format: Format]>([
  [undefined, { type: 'json' }],
  ['', { type: 'json' }],
  ['*/*', { type: 'json' }],
  ['application/*', { type: 'json' }],
  ['application/json;charset=utf-8', { type: 'json' }],
  ['APPLICATION/JSON', { type: 'json' }],
  ['application/yaml', { type: 'yaml' }],
  ['application/xml, */*;q=0.1', { type: 'json' }],
  [table, { type: 'table', version: 'v1' }],
  [`${table},application/json`, { type: 'table', version: 'v1' }],
  [`application/json;q=0.9, ${table};q=0.2`, { type: 'json' }],
  ['application/json;as=Table;v=v1beta1;g=meta.k8s.io', { type: 'table', version: 'v1beta1' }],
  ['application/json;as=Table;v=v9;g=meta.k8s.io, application/json', { type: 'json' }],
  [partial, { type: 'partial', list: false, version: 'v1' }],
  [partial.replace('Metadata', 'MetadataList'), { type: 'partial', list: true, version: 'v1' }],
  ['application/vnd.kubernetes.protobuf,application/json', { type: 'json' }],
  ['application/yaml;q=0.5,application/json;q=0.4', { type: 'yaml' }],
])('Accept: %s', ([header, format]) => {
  expect(objectFormat(header)).toEqual(format);
});

const available =
  '406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, application/vnd.kubernetes.protobuf, application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch';
const only =
  'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf';

test.for([
  ['text/html', available],
  ['text/plain', available],
  ['application/vnd.kubernetes.protobuf', available],
  ['application/json;as=Table;v=v9;g=meta.k8s.io', only],
])('Accept: %s is refused', ([header, message]) => {
  expect(() => objectFormat(header)).toThrow(expect.objectContaining({ code: 406, message }) as ApiError);
});

test('no header breaks the server', () => {
  const part = fc.constantFrom(
    'application/json',
    'as=Table',
    ';',
    ',',
    'q=',
    'q=x',
    '__proto__',
    '=',
    '*/*',
    'g=',
    ' ',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(part).map((parts) => parts.join('')),
      ),
      (header) => {
        expect(Array.isArray(accepted(header))).toBe(true);
        try {
          objectFormat(header);
        } catch (error) {
          expect(error).toBeInstanceOf(ApiError);
        }
      },
    ),
  );
});
