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
import { anyValue, stringEnum } from '#schema/kind/field.ts';

const description =
  'Ask a web endpoint. Every call has a header Idempotency-Key of run, metric and measurement: the same again when a call is repeated.';

const schema = Type.Object(
  {
    url: Type.String({
      description:
        'Where to ask; {{ args.NAME }} is filled in, and percent-encoded where it must be. In the path slashes of a value stay; {{ args.NAME | urlencode }} encodes them too.',
      minLength: 1,
      maxLength: 8192,
    }),
    jsonPath: Type.Optional(
      Type.String({
        description:
          'What of the answer is the result, as kubectl writes it: {$.age}. All of it unless given.',
        maxLength: 4096,
      }),
    ),
    method: Type.Optional(
      stringEnum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'], {
        description: 'The method; GET unless there is a body, then POST.',
      }),
    ),
    headers,
    body: Type.Optional(
      Type.String({ description: 'A text to send; {{ args.NAME }} is filled in.', maxLength: 262_144 }),
    ),
    jsonBody: Type.Optional(
      anyValue({ description: 'A value to send as JSON; {{ args.NAME }} is filled in inside its texts.' }),
    ),
    timeoutSeconds: timeoutSeconds(10),
    ...tlsFields,
    hmac: Type.Optional(
      Type.Object(
        {
          secretKeyRef: SecretKeyRef,
          header: Type.Optional(
            Type.String({
              description: 'Where the signature goes; X-Boathook-Signature-256 unless given.',
              minLength: 1,
              maxLength: 256,
            }),
          ),
        },
        { description: 'Signs the body: sha256=<hex of HMAC-SHA256> in a header.' },
      ),
    ),
    resultType: Type.Optional(
      stringEnum(['string', 'json'], {
        description: 'json: result is the parsed value. Otherwise it is text.',
      }),
    ),
    notFoundIsNoData: Type.Optional(
      Type.Boolean({ description: 'An answer of 404 counts as no data instead of as an error.' }),
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
  message: 'has no braces: the result is this very text, whatever is answered',
  hint: `write {${jsonPath}}`,
});
