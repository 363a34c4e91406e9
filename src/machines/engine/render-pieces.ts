import type { ValuePiece } from '#machines/decide/plan.ts';
import { encodeBase64 } from '#base/base64.ts';
import type { EngineIo } from './io.ts';

type Sources = Pick<EngineIo, 'secret' | 'artifacts'> & {
  /** Facts of the node. */
  readonly node: { readonly arch: string };
};

/** The bytes that pieces stand for; secrets and artifacts are looked up now. */
export async function bytesOf(pieces: readonly ValuePiece[], io: Sources): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for (const piece of pieces) parts.push(await bytesOfPiece(piece, io));
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export const textOf = async (piece: ValuePiece, io: Sources): Promise<string> =>
  piece.type === 'text' ? piece.text : new TextDecoder().decode(await bytesOfPiece(piece, io));

async function bytesOfPiece(piece: ValuePiece, { secret, artifacts, node }: Sources): Promise<Uint8Array> {
  if (piece.type === 'text') return utf8(piece.text);
  if (piece.type === 'node') return utf8(node[piece.fact]);
  if (piece.type === 'secret') return utf8((await secret(piece.ref)).reveal());
  const content = await artifacts.read(piece.name);
  if (content === undefined && piece.optional === true) return new Uint8Array();
  if (content === undefined)
    throw new MissingArtifact(`${piece.name} was never fetched: the step that fetches it has not run.`);
  return piece.encoding === 'plain' ? content : utf8(encodeBase64(content));
}

export class MissingArtifact extends Error {}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
