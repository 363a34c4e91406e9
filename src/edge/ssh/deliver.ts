import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { lookProgram, putProgram } from './deliver-program.ts';
import { runToEnd, type Channel, type Shell } from './shell.ts';

/** A local file that is to be on a machine. */
export type Delivery = {
  readonly source: string;
  readonly path: string;
  /** SHA-256 in hex digits. */
  readonly digest: string;
  readonly size: number;
  readonly mode: number;
};

export type Delivered =
  | { readonly type: 'delivered'; readonly sent: readonly string[] }
  /** `permanent`: sending again cannot help, the destination itself is wrong. */
  | { readonly type: 'failed'; readonly message: string; readonly permanent?: true }
  | { readonly type: 'disconnected'; readonly message: string };

/** Command lines have a limit. */
const filesAtATime = 64;

export type DeliverySettings = {
  /** Makes temporary names unique. */
  readonly tag: string;
  /** Hears of the bytes that need not be sent any more, and of all. */
  readonly onSent: ((bytes: number, total: number) => void) | undefined;
};

/** Files that are there already, with the right content and mode, are left alone. An abort ends it at once. */
export async function deliverFiles(
  shell: Shell,
  files: readonly Delivery[],
  settings: DeliverySettings,
  signal: AbortSignal,
): Promise<Delivered> {
  const sent: string[] = [];
  const count = counter(files, settings);
  for (let at = 0; at < files.length; at += filesAtATime) {
    const part = files.slice(at, at + filesAtATime);
    const looked = await lookAt(shell, part, signal);
    if (!Array.isArray(looked)) return looked as Delivered;
    const wanted = part.filter((file, index) => !isThere(file, looked[index] ?? ''));
    count(part.reduce((sum, { size }) => sum + size, 0) - wanted.reduce((sum, { size }) => sum + size, 0));
    const trouble =
      wanted.length === 0 ? undefined : await put(shell, wanted, { tag: settings.tag, count }, signal);
    signal.throwIfAborted();
    if (trouble !== undefined) return trouble;
    sent.push(...wanted.map(({ path }) => path));
  }
  return { type: 'delivered', sent };
}

type Count = (bytes: number) => void;

function counter(files: readonly Delivery[], { onSent }: DeliverySettings): Count {
  const total = files.reduce((sum, { size }) => sum + size, 0);
  let done = 0;
  return (bytes) => {
    done += bytes;
    if (bytes > 0) onSent?.(done, total);
  };
}

async function lookAt(
  shell: Shell,
  files: readonly Delivery[],
  signal: AbortSignal,
): Promise<readonly string[] | Delivered> {
  const paths = files.map(({ path }) => path);
  const { code, out, complaints } = await runToEnd(await shell.open(lookProgram, paths, signal), undefined);
  if (code === undefined) return lost(shell);
  const lines = out.toString('utf8').trimEnd().split('\n');
  if (code !== 0 || lines.length !== files.length)
    return { type: 'failed', message: `${shell.name} cannot look at its files: ${complaints}` };
  const blocked = files.find((_, index) => lines[index] === 'directory');
  return blocked === undefined ? lines : isDirectory(shell, blocked);
}

/** Additional permissions do not matter: the execute bit of a hook may have been added. */
function isThere({ digest, mode }: Delivery, line: string): boolean {
  const [kind, found, bits] = line.split(' ');
  return kind === 'file' && found === digest && (Number.parseInt(bits ?? '0', 8) & mode) === mode;
}

async function put(
  shell: Shell,
  files: readonly Delivery[],
  { tag, count }: { readonly tag: string; readonly count: Count },
  signal: AbortSignal,
): Promise<Delivered | undefined> {
  for (const file of files) {
    const changed = await sizeChanged(file);
    if (changed !== undefined) return { type: 'failed', message: changed };
  }
  const words = files.flatMap(({ path, mode, size, digest }) => [
    path,
    mode.toString(8),
    String(size),
    digest,
  ]);
  const channel = await shell.open(putProgram, [tag, ...words], signal);
  const { code, out, complaints } = await closedOnAbort(channel, signal, () =>
    runToEnd(channel, contents(files, count)),
  );
  if (code === undefined) return lost(shell);
  const lines = out.toString('utf8').trimEnd().split('\n');
  const at = lines.findIndex((line) => line !== 'ok');
  if (at < 0 && lines.length === files.length && code === 0) return undefined;
  const file = files[at < 0 ? files.length - 1 : at];
  if (file === undefined) return { type: 'failed', message: `${shell.name}: ${complaints}` };
  if (lines[at] === 'directory') return isDirectory(shell, file);
  return { type: 'failed', message: complaintOf(shell, file, lines[at] ?? '', complaints) };
}

/** How long to wait for a machine after an abort: it removes the incomplete file. */
const patience = 2000;

/** The channel is closed at once; the machine's end then finds its input cut short. */
async function closedOnAbort<Answer>(
  channel: Channel,
  signal: AbortSignal,
  act: () => Promise<Answer>,
): Promise<Answer> {
  const { promise: given, resolve } = Promise.withResolvers<void>();
  const stop = (): void => {
    channel.close();
    setTimeout(resolve, patience).unref();
  };
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    const acting = act();
    await Promise.race([acting, given]);
    signal.throwIfAborted();
    return await acting;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

const changedText = ({ source }: Delivery): string =>
  `${source} has changed since the plan was made: plan again, and leave the file alone meanwhile.`;

async function sizeChanged(file: Delivery): Promise<string | undefined> {
  const found = await stat(file.source).catch(() => undefined);
  return found?.isFile() === true && found.size === file.size ? undefined : changedText(file);
}

async function* contents(files: readonly Delivery[], count: Count): AsyncGenerator<Uint8Array> {
  for (const { source, size } of files) {
    if (size === 0) continue;
    for await (const piece of createReadStream(source, { end: size - 1 }) as AsyncIterable<Buffer>) {
      yield piece;
      count(piece.length);
    }
  }
}

const isDirectory = (shell: Shell, { path }: Delivery): Delivered => ({
  type: 'failed',
  message: `${path} is a directory on ${shell.name}: name the file itself as the destination, or remove the directory.`,
  permanent: true,
});

function complaintOf(shell: Shell, file: Delivery, line: string, said: string): string {
  const [what, written, free] = line.split(' ');
  if (what === 'foreign')
    return `${file.path} is not written on ${shell.name}: ${line.slice(what.length + 1)} is a symbolic link of another user. Remove it, or choose a folder of root's.`;
  if (what === 'different') return changedText(file);
  if (what === 'short' && /no space/i.test(said))
    return `The disk of ${shell.name} is full: ${file.path} needs ${file.size} bytes, ${free ?? '?'} KiB are free.`;
  if (what === 'short')
    return `Only ${written ?? '?'} of ${file.size} bytes of ${file.path} arrived on ${shell.name} (${free ?? '?'} KiB are free): ${said || 'the file changed while it was sent'}.`;
  return `${file.path} cannot be written on ${shell.name}: ${said}`;
}

const lost = (shell: Shell): Delivered => ({
  type: 'disconnected',
  message: `The connection to ${shell.name} was lost while files were sent.`,
});
