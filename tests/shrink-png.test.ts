import { deflateSync, crc32, inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { shrinkPng } from '../scripts/shrink-png.ts';

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const sizes = Buffer.alloc(8);
  sizes.writeUInt32BE(data.length, 0);
  sizes.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([sizes.subarray(0, 4), body, sizes.subarray(4)]);
}

/** Two pixels by two, red and blue over blue and red; `rows` as they are filtered. */
const picture = (...rows: readonly (readonly number[])[]): Buffer =>
  Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', Buffer.from([0, 0, 0, 2, 0, 0, 0, 2, 8, 2, 0, 0, 0])),
    chunk('IDAT', deflateSync(Buffer.from(rows.flat()))),
    chunk('IEND', Buffer.alloc(0)),
  ]);

/** The colours of the pixels of a shrunk picture. */
function pixelsOf(png: Buffer): readonly string[] {
  const [, palette = '', data = ''] =
    /PLTE([\s\S]*?)....\0\0..IDAT([\s\S]*?)....\0\0\0\0IEND/.exec(png.toString('latin1')) ?? [];
  const rows = inflateSync(Buffer.from(data, 'latin1'));
  return [rows[1], rows[2], rows[4], rows[5]].map((index = 0) =>
    Buffer.from(palette.slice(index * 3, index * 3 + 3), 'latin1').toString('hex'),
  );
}

const expected = ['ff0000', '0000ff', '0000ff', 'ff0000'];

test.for([
  ['none', [0, 255, 0, 0, 0, 0, 255], [0, 0, 0, 255, 255, 0, 0]],
  ['left', [1, 255, 0, 0, 1, 0, 255], [1, 0, 0, 255, 255, 0, 1]],
  ['up', [2, 255, 0, 0, 0, 0, 255], [2, 1, 0, 255, 255, 0, 1]],
  ['average', [3, 255, 0, 0, 129, 0, 255], [3, 129, 0, 255, 255, 0, 1]],
  ['paeth', [4, 255, 0, 0, 1, 0, 255], [4, 1, 0, 255, 255, 0, 1]],
] as const)('a picture with the filter %s keeps its colours', ([, first, second]) => {
  expect(pixelsOf(shrinkPng(picture(first, second)))).toEqual(expected);
});
