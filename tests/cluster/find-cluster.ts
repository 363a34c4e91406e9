import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { envtestTarget } from '../../bench/apiserver/envtest-target.ts';
import { clusterAccess } from '#command/open-cluster.ts';
import { tempDir } from '#edge/testing/temp-dir.ts';

export type FoundCluster =
  | {
      readonly type: 'found';
      readonly name: string;
      readonly kubeconfig: string;
      readonly stop: () => Promise<void>;
    }
  | { readonly type: 'none'; readonly why: string };

/** The cluster that `KUBECONFIG` names, or a kube-apiserver of `KUBEBUILDER_ASSETS`; never that of the home folder. */
export async function findCluster(env: NodeJS.ProcessEnv): Promise<FoundCluster> {
  const kubeconfig = env['KUBECONFIG'] ?? '';
  if (kubeconfig !== '') {
    const { server } = clusterAccess({ kubeconfig });
    return { type: 'found', name: server, kubeconfig, stop: () => Promise.resolve() };
  }
  const target = envtestTarget(env['KUBEBUILDER_ASSETS']);
  if (target === undefined)
    return {
      type: 'none',
      why: 'there is no cluster to test: set KUBECONFIG to the kubeconfig of an administrator, or KUBEBUILDER_ASSETS to a folder with kube-apiserver and etcd',
    };
  const folder = tempDir();
  const running = await target.start(join(folder.path, 'server'));
  const { host, port, ca, token = '' } = running.address;
  const file = join(folder.path, 'home', 'kubeconfig');
  mkdirSync(join(folder.path, 'home'));
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'here',
    clusters: [
      {
        name: 'here',
        cluster: {
          server: `https://${host}:${port}`,
          'certificate-authority-data': Buffer.from(ca).toString('base64'),
        },
      },
    ],
    users: [{ name: 'here', user: { token } }],
    contexts: [{ name: 'here', context: { cluster: 'here', user: 'here' } }],
  };
  writeFileSync(file, JSON.stringify(config), { mode: 0o600 });
  const stop = async (): Promise<void> => {
    await running.stop();
    folder[Symbol.dispose]();
  };
  return { type: 'found', name: target.name, kubeconfig: file, stop };
}
