import { Type } from '#schema/kind/type.ts';
import {
  addressFindings,
  headerFindings,
  headers,
  headerSecrets,
  jsonPathFindings,
  SecretKeyRef,
  timeoutSeconds,
  tlsFields,
} from '#hooks/providers/wire/http-fields.ts';
import type { Finding } from '#hooks/providers/wire/finding.ts';
import { defineProvider, type SpecOf } from '#hooks/providers/wire/provider-wire.ts';
import { anyValue, optionalBoolean, optionalEnum, optionalString } from '#schema/kind/field.ts';

const description =
  'Calls an HTTP endpoint. Every call has a header Idempotency-Key of run, metric and measurement; a repeated call has the same key.';

const schema = Type.Object(
  {
    url: Type.String({
      description:
        'URL of the endpoint. {{ args.NAME }} is replaced and percent-encoded. In the path, slashes of a value stay; {{ args.NAME | urlencode }} encodes them too.',
      minLength: 1,
      maxLength: 8192,
    }),
    jsonPath: optionalString(
      'JSONPath of the result in the reply, in the syntax of kubectl: {$.age}. Default: the whole reply.',
      { maxLength: 4096 },
    ),
    method: optionalEnum(
      ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'],
      'HTTP method. Default: GET without a body, POST with one.',
    ),
    headers,
    body: optionalString('Body of the request as text. {{ args.NAME }} is replaced.', { maxLength: 262_144 }),
    jsonBody: Type.Optional(
      anyValue({ description: 'Body of the request as JSON. {{ args.NAME }} is replaced in all strings.' }),
    ),
    timeoutSeconds: timeoutSeconds(10),
    ...tlsFields,
    hmac: Type.Optional(
      Type.Object(
        {
          secretKeyRef: SecretKeyRef,
          header: optionalString(
            'Name of the header with the signature. Default: X-Boathook-Signature-256.',
            { minLength: 1, maxLength: 256 },
          ),
        },
        { description: 'Signs the body with HMAC-SHA256. The header contains sha256=<hex>.' },
      ),
    ),
    resultType: optionalEnum(
      ['string', 'json'],
      'Type of result in conditions. json: the parsed value. Default: string.',
    ),
    notFoundIsNoData: optionalBoolean(
      'Whether status 404 counts as no data instead of an error. Default: false.',
    ),
  },
  { description },
);

/** An HTTP endpoint. */
export const webWire = defineProvider({
  schema,
  // Rules in CEL cannot see a value of any type, so the schema itself refuses a jsonBody beside a body.
  templateSchema: Type.Object(schema.properties, {
    description: `${description} body and jsonBody exclude each other.`,
    not: { required: ['body', 'jsonBody'] },
  }),
  placeholders: ['url', 'headers[].value', 'body', 'jsonBody'],
  lint: ({ url, jsonPath, body, jsonBody, headers: list }) => [
    ...(jsonPath === undefined ? [] : jsonPathFindings('jsonPath', jsonPath)),
    ...addressFindings('url', url),
    ...(body === undefined || jsonBody === undefined ? [] : [twoBodies]),
    ...(jsonPath === undefined || jsonPath.includes('{') ? [] : [withoutBraces(jsonPath)]),
    ...headerFindings(list),
  ],
  resultType: ({ resultType }) => (resultType === 'json' ? 'json' : 'string'),
  address: 'url',
  secrets: ({ headers: list, hmac }) => [
    ...headerSecrets(list),
    ...(hmac === undefined ? [] : [{ path: 'hmac', key: hmac.secretKeyRef }]),
  ],
  withoutCluster: 'always',
});

export type WebProvider = SpecOf<typeof webWire>;

const twoBodies: Finding = {
  severity: 'error',
  path: 'body',
  message: 'there are both a body and a jsonBody: give one of them',
};

const withoutBraces = (jsonPath: string): Finding => ({
  severity: 'warning',
  path: 'jsonPath',
  message: 'has no braces: the result is always this text',
  hint: `write {${jsonPath}}`,
});
