import { listAt, numberAt, textAt, type Json } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';

export type HostPort = { readonly ip: string; readonly protocol: string; readonly port: number };
const none: readonly HostPort[] = [];
const everywhere = '0.0.0.0';

/** The ports of its node that a pod takes for itself. */
export function hostPortsOf(pod: KubeObject): readonly HostPort[] {
  let found = none;
  for (const container of listAt(pod, 'spec', 'containers')) found = withPorts(found, container);
  // Init containers are gone before others come, but for sidecars.
  for (const container of listAt(pod, 'spec', 'initContainers'))
    if (textAt(container, 'restartPolicy') === 'Always') found = withPorts(found, container);
  return found;
}

function withPorts(found: readonly HostPort[], container: Json): readonly HostPort[] {
  const ports = listAt(container, 'ports').filter((each) => (numberAt(each, 'hostPort') ?? 0) > 0);
  return ports.length === 0 ? found : [...found, ...ports.map(hostPort)];
}

function hostPort(port: Json): HostPort {
  const ip = textAt(port, 'hostIP') ?? '';
  return {
    ip: ip === '' || ip === '::' ? everywhere : ip,
    protocol: textAt(port, 'protocol') ?? 'TCP',
    port: numberAt(port, 'hostPort') ?? 0,
  };
}

export const collide = (wanted: readonly HostPort[], taken: readonly HostPort[]): boolean =>
  wanted.some((mine) =>
    taken.some(
      (other) =>
        mine.port === other.port &&
        mine.protocol === other.protocol &&
        (mine.ip === other.ip || mine.ip === everywhere || other.ip === everywhere),
    ),
  );
