import type { SshSession } from '#edge/ssh/serve-ssh.ts';
import { mostKept } from '#embedded/machines/files/simulated-files.ts';
import type { PutFile } from '#embedded/machines/requests/read-request.ts';
import { joinBytes, type ByteReader } from './byte-reader.ts';
import type { MachineParts } from './machine-parts.ts';

/** What is at each path: `directory`, `none`, or `file SHA256 MODE`. */
export const lookAt = ({ files }: MachineParts, paths: readonly string[]): string =>
  paths
    .map((path) => {
      const entry = files.entry(path);
      if (entry === undefined) return 'none\n';
      return entry.type === 'folder' ? 'directory\n' : `file ${entry.digest} ${entry.mode.toString(8)}\n`;
    })
    .join('');

/** Puts files in place, their contents one after another on the input. */
export async function putFiles(
  { files, newDigest }: MachineParts,
  wanted: readonly PutFile[],
  session: SshSession,
  input: ByteReader,
): Promise<number> {
  for (const { path, mode, size, digest } of wanted) {
    if (files.entry(path)?.type === 'folder') {
      session.out('directory\n');
      return 0;
    }
    const made = newDigest();
    const kept: Uint8Array[] = [];
    let arrived = 0;
    for await (const piece of input.bytes(size)) {
      made.update(piece);
      arrived += piece.length;
      if (size <= mostKept) kept.push(piece);
    }
    if (arrived < size || made.hex() !== digest) {
      session.out(arrived < size ? `short ${arrived} 1048576\n` : 'different\n');
      return 0;
    }
    const content = size <= mostKept ? joinBytes(kept) : undefined;
    files.set(files.absolute(path), { type: 'file', content, size, digest, mode });
    session.out('ok\n');
  }
  return 0;
}
