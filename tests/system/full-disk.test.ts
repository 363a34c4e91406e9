import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { expect, test } from 'vitest';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { startBoathook, type Boathook } from '../support/boathook.ts';
import { openApi, type HttpsApi } from '../support/https-api.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const large = (name: string): unknown => ({ metadata: { name }, data: { filler: 'x'.repeat(200_000) } });

/** A disk on which nothing more can be written until there is room again. */
type Disk = {
  readonly path: string;
  readonly reason: string;
  fill(server: Boathook): void;
  makeRoom(server: Boathook): void;
  [Symbol.dispose](): void;
};

/** A file system of its own, filled to the last byte. */
function smallFileSystem(): Disk {
  const folder = tempDir();
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', folder.path]);
  const filler = join(folder.path, 'filler');
  return {
    path: folder.path,
    reason: 'DiskFull',
    fill() {
      const file = openSync(filler, 'w');
      for (const size of [65_536, 4096]) {
        const piece = Buffer.alloc(size);
        while (hasTaken(file, piece));
      }
      closeSync(file);
    },
    makeRoom: () => rmSync(filler),
    [Symbol.dispose]() {
      execFileSync('umount', ['--lazy', folder.path]);
      folder[Symbol.dispose]();
    },
  };
}

function hasTaken(file: number, piece: Buffer): boolean {
  try {
    return writeSync(file, piece) === piece.length;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return false;
    throw error;
  }
}

/** The kernel refuses to let a file of this process grow. */
function limitedFiles(): Disk {
  const folder = tempDir();
  const limit = ({ pid }: Boathook, bytes: string): void =>
    void execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`]);
  return {
    path: folder.path,
    reason: 'DiskError',
    fill: (server) => limit(server, String(statSync(join(server.dataDir, 'objects.db')).size)),
    makeRoom: (server) => limit(server, 'unlimited'),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

const isRoot = process.getuid?.() === 0;

test.for([
  { name: 'a full file system (mounted by root)', open: smallFileSystem, isPossible: isRoot },
  { name: 'a limit on the size of files', open: limitedFiles, isPossible: true },
])(
  'with $name writes are refused with 503, reads and watches go on',
  async ({ open, isPossible }, { skip }) => {
    skip(!isPossible, 'only root mounts file systems');
    using disk = open();
    const dataDir = join(disk.path, 'data');
    await using server = await startBoathook({ dataDir });
    await using api = openApi(server.access);
    const watch = api.watch(`${configMaps}?watch=true&resourceVersion=0&fieldSelector=metadata.name%3Dlater`);
    const later = watch.next();
    for (let count = 0; count < 30; count += 1) await api.create(configMaps, large(`c${count}`));

    disk.fill(server);
    // Housekeeping fails on its own, a second after the last write.
    await server.process.errorLike(/cannot write \S+objects\.db/);

    const refused = await post(server, large('later'));
    expect(refused.status).toBe(503);
    expect(refused.retryAfter).toBe('1');
    expect(refused.body).toMatchObject({
      kind: 'Status',
      reason: 'ServiceUnavailable',
      details: { causes: [{ reason: disk.reason }] },
    });
    expect(await namesIn(api)).toHaveLength(31);

    disk.makeRoom(server);
    expect((await post(server, large('later'))).status).toBe(201);
    expect((await later).value).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'later' } } });
    await watch.return(undefined);

    await server.stop('SIGKILL');
    await using next = await startBoathook({ dataDir });
    await using again = openApi(next.access);
    expect(await namesIn(again)).toHaveLength(32);
  },
);

/** All of them, and kube-root-ca.crt. */
async function namesIn(api: HttpsApi): Promise<readonly unknown[]> {
  const { status, body } = await api.send('GET', configMaps);
  expect(status).toBe(200);
  return body['items'] as readonly unknown[];
}

async function post(
  { access }: Boathook,
  object: unknown,
): Promise<{ readonly status: number; readonly retryAfter: unknown; readonly body: unknown }> {
  const dispatcher = new Agent({ connect: { ca: access.ca, cert: access.cert, key: access.key } });
  const answer = await request(access.server + configMaps, {
    method: 'POST',
    dispatcher,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(object),
  });
  const body = await answer.body.json();
  await dispatcher.close();
  return { status: answer.statusCode, retryAfter: answer.headers['retry-after'], body };
}
