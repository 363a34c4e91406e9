import { envtestTarget } from '../../bench/apiserver/envtest-target.ts';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { startBoathook } from '../support/boathook.ts';
import { openElsewhereApi } from '../cluster/elsewhere-api.ts';
import { testCluster } from '../cluster/test-cluster.ts';
import { openApi, type HttpsApi } from '../support/https-api.ts';

/** An API server that the cases run against, bare: nothing reacts to what is written. */
export type Target = { readonly name: string; open(): Promise<OpenTarget> };
export type OpenTarget = { readonly api: HttpsApi; close(): Promise<void> };

const boathook: Target = {
  name: 'boathook',
  async open() {
    const server = await startBoathook({ flags: ['--kube-controllers', 'none', '--ephemeral'] });
    const api = openApi(server.access);
    const close = async (): Promise<void> => {
      await api.close();
      await server[Symbol.asyncDispose]();
    };
    return { api, close };
  },
};

/** The cluster of `npm run test:cluster`. */
const elsewhere: Target = { name: 'the cluster', open: () => openElsewhereApi() };

/** The real kube-apiserver too, where KUBEBUILDER_ASSETS names a folder that holds it and its etcd. */
export function targets(assets: string | undefined): readonly Target[] {
  if (testCluster() !== undefined) return [elsewhere];
  const real = envtestTarget(assets);
  if (real === undefined) return [boathook];
  const open = async (): Promise<OpenTarget> => {
    const folder = tempDir();
    const running = await real.start(folder.path);
    const { host, port, ca, token = '' } = running.address;
    const api = openApi({ server: `https://${host}:${port}`, ca, cert: '', key: '' }, { as: { token } });
    const close = async (): Promise<void> => {
      await api.close();
      await running.stop();
      folder[Symbol.dispose]();
    };
    return { api, close };
  };
  return [boathook, { name: real.name, open }];
}
