import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startBoathook, type Boathook } from './boathook.ts';
import { openApi, type HttpsApi } from './https-api.ts';
import { gaps, type Gap, type Topic } from './kubectl-gaps.ts';
import { findKubectls, openTerminal, type Kubectl, type Terminal } from './kubectl.ts';

/** What a check finds before it: one kubectl, one running server, a namespace of its own. */
export type Bench = {
  readonly kubectl: Terminal;
  readonly minor: number;
  readonly namespace: string;
  readonly api: HttpsApi;
  readonly server: Boathook;
};

/** Something kubectl can do here, as a sentence and the proof of it. */
export type Check = {
  readonly name: string;
  /** Slow or independent of kubectl's version: one new and one old kubectl are enough. */
  readonly slow?: true;
  readonly act: (bench: Bench) => Promise<void>;
};

/** Turns checks into tests for every kubectl on this machine, on one server. */
export async function kubectlTests(
  topic: Topic,
  checks: readonly Check[],
  prepare: (api: HttpsApi) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const kubectls = await findKubectls();
  let server: Boathook;
  let api: HttpsApi;
  beforeAll(async () => {
    server = await startBoathook();
    api = openApi(server.access, { connections: 64 });
    await prepare(api);
  });
  afterAll(async () => {
    await api.close();
    await server[Symbol.asyncDispose]();
  });

  test('the gaps of old versions are named after checks that exist', () => {
    expect(kubectls).not.toEqual([]);
    expect(
      gaps[topic].map((gap) => gap.name).filter((name) => !checks.some((each) => each.name === name)),
    ).toEqual([]);
  });

  let count = 0;
  const benchOf = async (kubectl: Kubectl): Promise<Bench> => {
    count += 1;
    const namespace = `${topic}-${kubectl.minor}-${count}`;
    await api.create('/api/v1/namespaces', { metadata: { name: namespace } });
    const terminal = openTerminal(kubectl, server, namespace);
    return { kubectl: terminal, minor: kubectl.minor, namespace, api, server };
  };
  describe.for(kubectls)('kubectl $version', (kubectl) => {
    const isOldest = kubectl === kubectls[0];
    const isNewest = kubectl === kubectls.at(-1);
    for (const check of checks) {
      if (check.slow === true && !isOldest && !isNewest) continue;
      const gap = gapOf(topic, check, kubectl);
      if (gap === undefined) {
        test(check.name, async () => check.act(await benchOf(kubectl)));
      } else {
        test(`cannot do: ${check.name}`, async () => {
          const bench = await benchOf(kubectl);
          await expect(check.act(bench)).rejects.toThrow(gap.says);
        });
      }
    }
  });
}

function gapOf(topic: Topic, { name }: Check, { minor }: Kubectl): Gap | undefined {
  return gaps[topic].find((gap) => gap.name === name && minor < gap.until);
}
