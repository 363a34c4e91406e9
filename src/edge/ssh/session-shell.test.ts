import { expect, test } from 'vitest';
import { ConnectionLost } from './failure.ts';
import { sessionShell } from './session-shell.ts';
import type { SshSession } from './serve-ssh.ts';
import { runToEnd } from './shell.ts';

const never = new AbortController().signal;

const greet = ({ out, err }: SshSession): void => {
  out('boathook-0\n');
  err('boathook-0\n');
};

async function* pieces(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield new TextEncoder().encode(text);
}

test('a program gets its input, and its output and exit code come back', async () => {
  let command = '';
  const shell = sessionShell('m1', async (session) => {
    greet(session);
    ({ command } = session);
    for await (const piece of session.input) session.out(piece);
    session.err('it is done\n');
    return 3;
  });
  const channel = await shell.open('cat "$1"', ["it's"], never);
  const { code, out, complaints } = await runToEnd(channel, pieces('one ', 'two'));
  expect({ code, out: out.toString(), complaints }).toEqual({
    code: 3,
    out: 'one two',
    complaints: 'it is done',
  });
  expect(command).toMatch(/^exec \/bin\/sh -c 'echo boathook-0; echo boathook-0 >&2\ncat "\$1"' boathook /);
});

test('a lost connection ends programs without a code, and starts none', async () => {
  const ends: string[] = [];
  const shell = sessionShell('m1', async (session) => {
    greet(session);
    session.closed.addEventListener('abort', () => ends.push('closed'));
    for await (const _piece of session.input) ends.push('input');
    ends.push('end of input');
    return 0;
  });
  const channel = await shell.open('wait', [], never);
  shell.close();
  expect(await channel.ended).toBe(undefined);
  await shell.closed;
  await expect(shell.open('again', [], never)).rejects.toThrow(ConnectionLost);
  expect(ends[0]).toBe('closed');
});

test('what a program prints after a lost connection is lost, and those who read find the end', async () => {
  const { promise: served, resolve } = Promise.withResolvers<SshSession>();
  const shell = sessionShell('m1', async (session) => {
    greet(session);
    resolve(session);
    await new Promise<never>(() => undefined);
    return 0;
  });
  const channel = await shell.open('wait', [], never);
  const { out, err } = await served;
  out('before');
  shell.close();
  out('after');
  err('after');
  const heard: string[] = [];
  for await (const piece of channel.output) heard.push(new TextDecoder().decode(piece));
  expect({ heard, complaints: channel.complaints() }).toEqual({ heard: ['before'], complaints: '' });
});
