import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { block, body, entry, int, text, varint, type Bytes } from './testing/build.ts';
import { decodeProtobuf } from './decode.ts';
import { ProtobufError } from './protobuf-error.ts';
import { readVarint } from './wire.ts';

/** Decodes, or refuses with the one error there is; anything else fails the test. */
function outcome(bytes: Uint8Array): 'decoded' | 'refused' {
  try {
    JSON.stringify(decodeProtobuf(bytes).object);
    return 'decoded';
  } catch (error) {
    if (error instanceof ProtobufError) return 'refused';
    throw error;
  }
}

const container: Bytes = block(
  2,
  text(1, 'c'),
  text(2, 'img:1'),
  block(6, int(3, 8080)),
  block(8, block(1, text(1, 'cpu'), block(2, text(1, '1')))),
);
const pod = body(
  'v1',
  'Pod',
  block(1, text(1, 'p'), entry(11, 'a', 'b'), block(8, int(1, 1_577_836_800))),
  block(2, container, int(4, 30)),
);
const kinds = fc.constantFrom(
  ['v1', 'Pod'],
  ['v1', 'Secret'],
  ['apps/v1', 'Deployment'],
  ['apiextensions.k8s.io/v1', 'CustomResourceDefinition'],
  ['coordination.k8s.io/v1', 'Lease'],
  ['v1', 'DeleteOptions'],
);

test('the pod that is damaged below is a sound one', () => {
  expect(decodeProtobuf(pod).object).toMatchObject({ spec: { containers: [{ image: 'img:1' }] } });
});

test('a body that is cut short is decoded or refused', () => {
  for (let length = 0; length < pod.length; length += 1) outcome(pod.subarray(0, length));
  expect(outcome(pod.subarray(0, pod.length / 2))).toBe('refused');
});

test('random bytes in an envelope are decoded or refused', () => {
  fc.assert(
    fc.property(kinds, fc.uint8Array({ maxLength: 300 }), ([apiVersion = '', kind = ''], bytes) => {
      outcome(body(apiVersion, kind, [...bytes]));
    }),
    { numRuns: 2000 },
  );
});

test('a flipped byte is decoded or refused', () => {
  fc.assert(
    fc.property(fc.nat(pod.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
      const damaged = new Uint8Array(pod);
      damaged[at] = (damaged[at] ?? 0) ^ flip;
      outcome(damaged);
    }),
    { numRuns: 2000 },
  );
});

test('every 64-bit number that a JSON number can hold is read back', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (value) => {
      const bytes = new Uint8Array(varint(value));
      const cursor = { bytes, at: 0, end: bytes.length };
      expect(readVarint(cursor)).toBe(value);
      expect(cursor.at).toBe(bytes.length);
    }),
  );
});

test('every text is read back', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (value) => {
      const { object } = decodeProtobuf(body('v1', 'ConfigMap', entry(2, 'k', value)));
      expect(object['data']).toEqual({ k: value });
    }),
  );
});

test('every run of bytes is read back', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (value) => {
      const { object } = decodeProtobuf(body('v1', 'Secret', block(2, text(1, 'k'), block(2, [...value]))));
      expect(object['data']).toEqual({ k: Buffer.from(value).toString('base64') });
    }),
  );
});
