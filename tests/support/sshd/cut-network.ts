import { execFileSync } from 'node:child_process';
import { ownNetwork } from '../own-network.ts';
import { demandSshd, ipNeed } from './needs.ts';

/** A network of two ends that can be cut: one here, one for a host. */
export type CuttableNetwork = {
  readonly netns: string;
  readonly address: string;
  cut(): void;
  mend(): void;
  [Symbol.dispose](): void;
};

export async function openCuttableNetwork(): Promise<CuttableNetwork> {
  demandSshd([ipNeed]);
  const id = process.pid;
  const netns = `boathook-cut-${id}`;
  const [here, there] = [`bh${id}a`, `bh${id}b`];
  const ip = (...args: readonly string[]): void => void execFileSync('ip', args);
  const [ours, theirs] = freePair(await ownNetwork());
  ip('netns', 'add', netns);
  ip('link', 'add', here, 'type', 'veth', 'peer', 'name', there);
  ip('link', 'set', there, 'netns', netns);
  ip('addr', 'add', `${ours}/30`, 'dev', here);
  ip('link', 'set', here, 'up');
  ip('-n', netns, 'addr', 'add', `${theirs}/30`, 'dev', there);
  ip('-n', netns, 'link', 'set', there, 'up');
  ip('-n', netns, 'link', 'set', 'lo', 'up');
  return {
    netns,
    address: theirs,
    // What is sent to nobody's address is lost without a word, as behind a broken switch.
    cut: () => ip('neigh', 'replace', theirs, 'lladdr', '02:00:00:00:00:01', 'dev', here, 'nud', 'permanent'),
    mend: () => ip('neigh', 'del', theirs, 'dev', here),
    [Symbol.dispose]: () => {
      ip('link', 'del', here);
      ip('netns', 'del', netns);
    },
  };
}

/** Two addresses for documentation (RFC 5737) that no other network of this machine has. */
function freePair(start: number): readonly [string, string] {
  const nets = Array.from({ length: 64 }, (_, at) => 4 * ((start + at) % 64));
  const free = nets.find((net) => {
    const taken = execFileSync('ip', ['-o', 'addr', 'show', 'to', `192.0.2.${net}/30`], { encoding: 'utf8' });
    return taken === '';
  });
  if (free === undefined) throw new Error('All of 192.0.2.0/24 is in use here.');
  return [`192.0.2.${free + 1}`, `192.0.2.${free + 2}`];
}
