import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, test } from 'vitest';
import { agentProgram } from './agent-program.ts';

const folder = mkdtempSync(join(tmpdir(), 'boathook-host-'));
afterAll(() => rmSync(folder, { recursive: true }));

type Agent = { readonly word: string; end(): Promise<void> };

/** Starts the agent of an operation and waits for what it says about its lease. */
async function agent(round: string, operation: string): Promise<Agent> {
  const state = join(folder, round, 'state');
  const node = join(state, operation, 'm1');
  const host = join(folder, round, 'host');
  mkdirSync(node, { recursive: true });
  const words = [node, operation, 'a holder', '60', join(node, 'work'), state, host, `c ${operation}`];
  const child = spawn('/bin/sh', ['-c', agentProgram, 'sh', ...words], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  for await (const line of createInterface({ input: child.stdout })) {
    const [letter, word = ''] = line.split(' ');
    if (letter !== 'L') continue;
    return {
      word,
      async end() {
        // One that is refused has ended already.
        if (word === 'taken') child.stdin.end('q\n');
        child.stdout.resume();
        await ended;
      },
    };
  }
  throw new Error('the agent ended without a word about its lease');
}

describe('agents of different operations that come to a host at once', () => {
  test.each(Array.from({ length: 12 }, (_, number) => `round-${number}`))(
    '%s: one has it, and nothing of the others stays',
    async (round) => {
      const agents = await Promise.all(['a', 'b', 'c'].map((operation) => agent(round, operation)));
      expect(agents.map(({ word }) => word).toSorted()).toEqual(['busy', 'busy', 'taken']);
      const claims = (): readonly string[] =>
        readdirSync(join(folder, round, 'host')).filter((name) => name.startsWith('claim.'));
      expect(claims()).toHaveLength(1);
      for (const each of agents) await each.end();
      expect(claims()).toEqual([]);
    },
  );
});
