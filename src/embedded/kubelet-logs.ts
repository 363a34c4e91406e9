import { numberAt, textAt } from '#base/json.ts';
import { formatMicroTime, type Clock } from '#base/time.ts';
import type { LogSource, LogRequest } from './server/request/call.ts';
import type { KeyPair } from '#edge/certificate-file.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { TransportResponse } from '#edge/kube/transport.ts';
import { Unavailable } from '#edge/kube/unavailable.ts';
import type { ClusterTransport } from '#edge/kube/undici-transport.ts';
import { Secret } from '#edge/secret.ts';
import { labelsOf, nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import { ApiError } from '#kube/status.ts';
import { kubeletPortOf, nodeLabel, usualShape } from './nodes/node/node-shape.ts';
import { nodes as nodeResource } from './nodes/api/resources.ts';
import type { SimulatedNodes } from './nodes/start.ts';

/** Connects to a process on this machine that serves the kubelets of its nodes. */
export type KubeletDial = (port: number) => Promise<ClusterTransport>;

/** Connects with this client certificate. The certificate of the other side is self-made and proves nothing. */
export function dialKubelets({ certificate, key }: KeyPair, clock: Clock): KubeletDial {
  return async (port) => {
    // Loaded when it is needed: most servers play all their nodes themselves.
    const { undiciTransport } = await import('#edge/kube/undici-transport.ts');
    return undiciTransport(
      {
        server: `https://127.0.0.1:${port}`,
        ca: undefined,
        insecure: true,
        serverName: undefined,
        namespace: '',
        user: {
          certificate: { certificate, key: new Secret(key) },
          login: { type: 'none' },
          impersonate: undefined,
        },
      },
      clock,
      { terminal: false, env: {} },
    );
  };
}

export type ClusterLogsDeps = {
  readonly client: Pick<KubeClient, 'get'>;
  readonly nodes: SimulatedNodes | undefined;
  readonly dial: KubeletDial | undefined;
};

/** The logs of all simulated pods: those of this process, and those of others by way of their kubelets. */
export function clusterLogs({ client, nodes, dial }: ClusterLogsDeps): LogSource | undefined {
  if (dial === undefined) return nodes?.logs;
  const open = async (pod: KubeObject, signal: AbortSignal): Promise<ClusterTransport | undefined> => {
    const name = textAt(pod, 'spec', 'nodeName') ?? '';
    if (name === '' || nodes?.plays(name) === true) return undefined;
    const found = await client.get(nodeResource, { name }, signal);
    if (found.type !== 'ok' || labelsOf(found.object)[nodeLabel] === undefined) return undefined;
    const port = numberAt(found.object, 'status', 'daemonEndpoints', 'kubeletEndpoint', 'Port') ?? 0;
    // Simulated kubelets have no standard port: another kubelet answers there.
    return port === 0 || port === kubeletPortOf(usualShape) ? undefined : dial(port);
  };
  return {
    async read(request) {
      const signal = AbortSignal.timeout(patienceMillis);
      const kubelet = await open(request.pod, signal);
      if (kubelet === undefined) return nodes === undefined ? '' : nodes.logs.read(request);
      return within(kubelet, async () => {
        const answer = await ask(kubelet, request, false, signal);
        const text = await answer.text();
        return answer.status === 404 ? undefined : text;
      });
    },
    async *follow(request, signal) {
      const kubelet = await open(request.pod, signal);
      if (kubelet === undefined) {
        if (nodes !== undefined) yield* nodes.logs.follow(request, signal);
        return;
      }
      try {
        const answer = await ask(kubelet, request, true, signal);
        for await (const line of answer.lines()) yield `${line}\n`;
      } finally {
        await kubelet.close();
      }
    },
  };
}

const patienceMillis = 10_000;

async function within<Result>(kubelet: ClusterTransport, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } finally {
    await kubelet.close();
  }
}

async function ask(
  { transport }: ClusterTransport,
  request: LogRequest,
  follow: boolean,
  signal: AbortSignal,
): Promise<TransportResponse> {
  const { pod, container } = request;
  const parts = [namespaceOf(pod), nameOf(pod), container].map(encodeURIComponent);
  const path = `/containerLogs/${parts.join('/')}`;
  try {
    const query = queryOf(request, follow);
    const answer = await transport({ method: 'GET', path, query, headers: {}, signal });
    if (answer.status === 200 || answer.status === 404) return answer;
    throw unanswered(path, `${answer.status} ${await answer.text()}`);
  } catch (error) {
    if (error instanceof Unavailable) throw unanswered(path, error.message);
    throw error;
  }
}

const unanswered = (path: string, why: string): ApiError =>
  new ApiError({
    code: 500,
    reason: 'InternalError',
    message: `the process that plays the node does not answer for ${path}: ${why}`,
  });

function queryOf(
  { previous, tailLines, since, timestamps, limitBytes }: LogRequest,
  follow: boolean,
): string {
  const query = new URLSearchParams();
  if (follow) query.set('follow', 'true');
  if (previous) query.set('previous', 'true');
  if (timestamps) query.set('timestamps', 'true');
  if (tailLines !== undefined) query.set('tailLines', String(tailLines));
  if (limitBytes !== undefined) query.set('limitBytes', String(limitBytes));
  if (since !== undefined) query.set('sinceTime', formatMicroTime(since));
  return query.toString();
}
