import { execFileSync } from 'node:child_process';
import { demandSshd, ipNeed } from './needs.ts';

/** A network of two ends that can be cut: one here, one for a host. */
export type CuttableNetwork = {
  readonly netns: string;
  readonly address: string;
  cut(): void;
  mend(): void;
  [Symbol.dispose](): void;
};

export function openCuttableNetwork(): CuttableNetwork {
  demandSshd([ipNeed]);
  const id = process.pid % 10_000;
  const netns = `boathook-${id}`;
  const [here, there] = [`bh${id}a`, `bh${id}b`];
  const net = `10.${200 + (id % 50)}.${id % 250}`;
  const ip = (...args: readonly string[]): void => void execFileSync('ip', args);
  ip('netns', 'add', netns);
  ip('link', 'add', here, 'type', 'veth', 'peer', 'name', there);
  ip('link', 'set', there, 'netns', netns);
  ip('addr', 'add', `${net}.1/30`, 'dev', here);
  ip('link', 'set', here, 'up');
  ip('-n', netns, 'addr', 'add', `${net}.2/30`, 'dev', there);
  ip('-n', netns, 'link', 'set', there, 'up');
  ip('-n', netns, 'link', 'set', 'lo', 'up');
  return {
    netns,
    address: `${net}.2`,
    // What is sent to nobody's address is lost without a word, as behind a broken switch.
    cut: () =>
      ip('neigh', 'replace', `${net}.2`, 'lladdr', '02:00:00:00:00:01', 'dev', here, 'nud', 'permanent'),
    mend: () => ip('neigh', 'del', `${net}.2`, 'dev', here),
    [Symbol.dispose]: () => {
      ip('link', 'del', here);
      ip('netns', 'del', netns);
    },
  };
}
