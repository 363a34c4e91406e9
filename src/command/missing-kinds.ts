import { listAt, textAt } from '#base/json.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import { versionPath, type Resource } from '#kube/resource.ts';
import { ExitError } from './exit.ts';

/** Ends the command when the cluster does not serve one of these resources: its definition is missing. */
export async function mustServe(
  client: Pick<KubeClient, 'raw'>,
  resources: readonly Resource[],
  signal: AbortSignal,
): Promise<void> {
  const missing: string[] = [];
  for (const { group, version, plural } of resources) {
    const found = await client.raw(versionPath(group, version), signal);
    if (found.type !== 'ok' && found.type !== 'not-found') continue;
    const served = found.type === 'ok' ? listAt(found.object, 'resources') : [];
    if (!served.some((each) => textAt(each, 'name') === plural)) missing.push(`${plural}.${group}`);
  }
  if (missing.length === 0) return;
  throw new ExitError(
    1,
    `the cluster has no CustomResourceDefinition ${missing.join(', ')}: install it with boathook crds | kubectl apply -f -`,
  );
}
