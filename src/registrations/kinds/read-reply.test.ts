import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readErrorReply, readReply } from './read-reply.ts';
import { emptyReply } from './reply.ts';

const read = (body: unknown, phase: 'pre-reconcile' | 'finalize' = 'pre-reconcile') =>
  readReply(typeof body === 'string' ? body : JSON.stringify(body), { phase });
const malformed = (message: RegExp, reason = 'REPLYINVALID') => ({
  type: 'malformed',
  reason,
  message: expect.stringMatching(message),
});

test.for(['', '  \n', '{}', 'null', '{"error":null,"patches":null,"children":null,"object":null}'])(
  '%j changes nothing',
  (body) => expect(read(body)).toEqual({ type: 'reply', reply: emptyReply }),
);

test.for<[string, object, { permanent: boolean; halt: boolean }]>([
  ['nothing said', {}, { permanent: false, halt: true }],
  ['halt', { halt: true }, { permanent: false, halt: true }],
  ['no halt', { halt: false }, { permanent: false, halt: false }],
  ['permanent without halt', { halt: false, permanent: true }, { permanent: true, halt: false }],
  ['texts', { halt: 'false', permanent: 'true' }, { permanent: true, halt: false }],
  ['the spelling of the seed', { permantent: 'true' }, { permanent: true, halt: true }],
  ['both spellings', { permanent: false, permantent: true }, { permanent: false, halt: true }],
  ['continue', { continue: true }, { permanent: false, halt: false }],
  ['no continue', { continue: false }, { permanent: false, halt: true }],
  ['two words, one meaning', { halt: false, continue: true }, { permanent: false, halt: false }],
  ['two words, two meanings', { halt: true, continue: true }, { permanent: false, halt: true }],
  ['two words, two meanings again', { halt: false, continue: false }, { permanent: false, halt: true }],
  ['null is nothing', { halt: null, permanent: null }, { permanent: false, halt: true }],
])('an error: %s', ([, error, expected]) => {
  for (const phase of ['pre-reconcile', 'finalize'] as const)
    expect(read({ error: { message: 'm', ...error } }, phase)).toMatchObject({
      type: 'reply',
      reply: { error: { message: 'm', ...expected } },
    });
});

test('an integer of 64 bits is taken as it was sent', () => {
  const body = '{"patches":[{"target":"main","patch":{"spec":{"x":9007199254740993}}}]}';
  expect(read(body)).toMatchObject({
    reply: { patches: [{ type: 'strategic', patch: { spec: { x: 9_007_199_254_740_993n } } }] },
  });
  expect(read('{"resyncAfterSeconds":9007199254740993}')).toMatchObject({
    reply: { resyncAfter: 86_400_000 },
  });
});

test('an error without a message has one', () => {
  expect(read({ error: {} })).toMatchObject({
    reply: { error: { message: expect.stringMatching(/without a message/) } },
  });
});

test.for<[string, unknown, RegExp]>([
  ['not JSON', '{"a":', /not JSON: unexpected end/],
  ['a trailing comma, as in the sample of the seed', '{"error":{"message":"m"},}', /not JSON/],
  ['two values', '{} {}', /not JSON/],
  ['a member twice', '{"error":{"message":"a","message":"b"}}', /error\.message more than once/],
  ['__proto__', '{"status":{"annotations":{"__proto__":"x"}}}', /__proto__/],
  ['constructor', '{"object":{"constructor":{}}}', /constructor/],
  ['a number beyond all numbers', '{"resyncAfterSeconds":1e400}', /too large to be exact/],
  ['a number that loses digits', '{"resyncAfterSeconds":9223372036854775808}', /too large to be exact/],
  ['a depth bomb', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, /nested deeper/],
  ['a number that cannot be exact', '{"resyncAfterSeconds":12345678901234567890}', /too large to be exact/],
  ['a list', [], /must be a JSON object/],
  ['a text', '"fine"', /must be a JSON object/],
  ['an error that is a text', { error: 'no' }, /error must be an object/],
  ['a message that is a number', { error: { message: 7 } }, /error\.message must be a string/],
  ['halt that is a number', { error: { message: 'm', halt: 1 } }, /error\.halt must be true or false/],
  ['halt in other letters', { error: { message: 'm', halt: 'yes' } }, /must be true or false/],
  ['a status that is a number', { status: 7 }, /status must be an object/],
  ['conditions that are no list', { status: { conditions: {} } }, /status\.conditions must be a list/],
  [
    'observedGeneration',
    { object: { status: { observedGeneration: 'x' } } },
    /observedGeneration must be a whole number/,
  ],
  ['a status of the object that is a list', { object: { status: [] } }, /object\.status must be an object/],
  [
    'a condition that is half true',
    { status: { conditions: [{ type: 'A', status: 'true' }] } },
    /must be True, False or Unknown/,
  ],
  ['a condition without a type', { status: { conditions: [{ status: 'True' }] } }, /is not the type/],
  [
    'a condition twice',
    {
      status: {
        conditions: [
          { type: 'A', status: 'True' },
          { type: 'A', status: 'False' },
        ],
      },
    },
    /A more than once/,
  ],
  [
    'a reason of two words',
    { status: { conditions: [{ type: 'A', status: 'True', reason: 'not good' }] } },
    /must be one word/,
  ],
  [
    'an annotation that is a number',
    { status: { annotations: { a: 1 } } },
    /annotations\.a must be a string/,
  ],
  ['an annotation with a bad key', { status: { annotations: { 'a b': '1' } } }, /"a b"/],
  ['enormous annotations', { status: { annotations: { a: 'x'.repeat(70_000) } } }, /longer than/],
  ['a child that is null', { children: { deployment: null } }, /children\.deployment must be an object/],
  ['variables that are no list', { envVars: {} }, /envVars must be a list/],
  ['a variable without a name', { envVars: [{ value: 'x' }] }, /is not the name/],
  ['a variable with a bad name', { envVars: [{ name: '1a', value: 'x' }] }, /"1a"/],
  ['a value that is a number', { envVars: [{ name: 'A', value: 1 }] }, /value must be a string/],
  [
    'value and valueFrom',
    { envVars: [{ name: 'A', value: '1', valueFrom: { fieldRef: {} } }] },
    /value and valueFrom/,
  ],
  ['a strange source', { envVars: [{ name: 'A', valueFrom: { file: {} } }] }, /must have one of/],
  ['a time that runs back', { resyncAfterSeconds: -1 }, /number of seconds/],
  ['a time that is a text', { resyncAfterSeconds: '7' }, /number of seconds/],
  ['finalized that is neither', { finalized: 'perhaps' }, /finalized must be true or false/],
])('%s is refused', ([, body, message]) => {
  expect(read(body)).toMatchObject(malformed(message));
});

test('patches that cannot be read are refused as such', () => {
  expect(read({ patches: {} })).toMatchObject(malformed(/must be a list/, 'PATCHINVALID'));
  expect(read({ patches: [{ target: 'main', patch: 7 }] })).toMatchObject(
    malformed(/a patch is a list/, 'PATCHINVALID'),
  );
});

test('in finalize nothing but the error counts', () => {
  expect(
    read({ children: { deployment: null }, status: 7, patches: 'x', envVars: 1, object: 2 }, 'finalize'),
  ).toEqual({
    type: 'reply',
    reply: emptyReply,
  });
});

test('both dialects mean the same', () => {
  const condition = { type: 'KuardReady', status: 'True', reason: 'OK', message: '' };
  const annotations = { greetings: 'from hook' };
  const seed = read({
    status: { conditions: [condition], annotations },
    envVars: [{ name: 'A', value: '1' }],
  });
  const later = read({
    object: {
      apiVersion: 'v1',
      kind: 'Kuard',
      status: { conditions: [condition], annotations, observedGeneration: 3 },
    },
    addEnvs: [{ key: 'A', value: '1' }],
  });
  expect(later).toEqual(seed);
  expect(seed).toMatchObject({
    reply: { conditions: [condition], annotations, envVars: [{ name: 'A', value: '1' }] },
  });
});

test('status takes precedence over object', () => {
  const said = (status: string) => ({ conditions: [{ type: 'A', status }] });
  expect(read({ object: { status: said('False') }, status: said('True') })).toMatchObject({
    reply: { conditions: [{ type: 'A', status: 'True', reason: 'HOOKREPORTED' }] },
  });
});

test('times are bounded, and unknown members are reported', () => {
  expect(read({ resyncAfterSeconds: 1e9 })).toMatchObject({ reply: { resyncAfter: 86_400_000 } });
  expect(
    read({ resyncAfterSeconds: 0.5, finalized: 'false', extra: 1, children: { pod: {} } }),
  ).toMatchObject({
    reply: { resyncAfter: 500, finalized: false, unknown: ['extra', 'children.pod'] },
  });
  expect(readReply('{"extra":1}', { phase: 'pre-reconcile', strict: true })).toMatchObject(
    malformed(/unknown member extra/),
  );
});

test.for<[string, unknown]>([
  ['{"message":"m","permanent":true,"continue":false}', { message: 'm', permanent: true, halt: true }],
  ['{"message":"m","continue":true}', { message: 'm', permanent: false, halt: false }],
  ['{"error":{"message":"m","halt":false}}', { message: 'm', permanent: false, halt: false }],
  ['{"message":"m","permanent":"true"}', { message: 'm', permanent: true, halt: true }],
  ['{"permanent":7}', undefined],
  ['{"reason":"x"}', undefined],
  ['oh no', undefined],
  ['', undefined],
  ['[1]', undefined],
])('the error in %s', ([body, error]) => expect(readErrorReply(body)).toEqual(error));

test('no text whatsoever makes it throw', () => {
  const nearly = fc.record(
    {
      error: fc.anything(),
      patches: fc.array(fc.oneof(fc.anything(), fc.record({ main: fc.anything() }))),
      envVars: fc.array(fc.oneof(fc.anything(), fc.record({ name: fc.string(), value: fc.anything() }))),
      status: fc.oneof(fc.anything(), fc.record({ conditions: fc.anything(), annotations: fc.anything() })),
      object: fc.anything(),
      children: fc.anything(),
      resyncAfterSeconds: fc.anything(),
      finalized: fc.anything(),
    },
    { requiredKeys: [] },
  );
  const texts = fc.oneof(
    fc.string(),
    fc.json(),
    nearly.map((value) => {
      try {
        return JSON.stringify(value) ?? '';
      } catch {
        return '';
      }
    }),
  );
  fc.assert(
    fc.property(texts, fc.constantFrom('pre-reconcile', 'post-reconcile', 'finalize'), (text, phase) => {
      const result = readReply(text, { phase });
      expect(['reply', 'malformed']).toContain(result.type);
      if (result.type === 'malformed') expect(result.message.length).toBeLessThan(5000);
      readErrorReply(text);
    }),
    { numRuns: 1000 },
  );
});
