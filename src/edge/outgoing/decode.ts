import { promisify } from 'node:util';
import { brotliDecompress, inflate, inflateRaw, unzip } from 'node:zlib';

/** The decompressed body exceeds the limit. */
export class TooLarge extends Error {}
/** The body does not match its headers. */
export class Undecodable extends Error {}

/** The text of a body, decompressed by its headers, at most `maxBytes`. */
export async function decodeBody(
  body: Buffer,
  encodings: string | undefined,
  maxBytes: number,
): Promise<string> {
  let bytes = body;
  for (const encoding of listed(encodings).toReversed()) {
    // HEAD and 304 name the encoding of a body that they do not have.
    if (bytes.length === 0) break;
    bytes = await decodeOne(bytes, encoding, maxBytes);
  }
  return textOf(bytes);
}

export const isPlain = (encodings: string | undefined): boolean =>
  encodings === undefined || encodings === 'identity' || encodings === '';

/** UTF-8, without the mark that some put before it. */
export function textOf(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return text.codePointAt(0) === 0xfe_ff ? text.slice(1) : text;
}

export const understood = 'gzip, deflate, br';

// In threads: a decompression bomb would delay other calls.
type Decoder = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;
const gunzip: Decoder = promisify(unzip);
const decoders: Readonly<Record<string, Decoder>> = {
  gzip: gunzip,
  'x-gzip': gunzip,
  br: promisify(brotliDecompress),
  // Servers disagree about whether deflate has the header of zlib.
  deflate: (bytes, options) =>
    ((bytes[0] ?? 0) & 15) === 8 ? promisify(inflate)(bytes, options) : promisify(inflateRaw)(bytes, options),
};

const listed = (encodings: string | undefined): readonly string[] =>
  (encodings ?? '')
    .toLowerCase()
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '' && each !== 'identity');

async function decodeOne(bytes: Buffer, encoding: string, maxOutputLength: number): Promise<Buffer> {
  const decode = Object.hasOwn(decoders, encoding) ? decoders[encoding] : undefined;
  if (decode === undefined)
    throw new Undecodable(
      `is encoded as ${JSON.stringify(encoding.slice(0, 40))}; only ${understood} can be read`,
    );
  try {
    return await decode(bytes, { maxOutputLength });
  } catch (error) {
    if (error instanceof RangeError) throw new TooLarge();
    throw new Undecodable(`is not the ${encoding} that its headers promise`);
  }
}
