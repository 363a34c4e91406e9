import { homedir } from 'node:os';
import { harmlessText } from '#base/harmless-text.ts';
import { systemClock } from '#edge/clock.ts';
import type { ClusterAccess } from '#edge/kube/access.ts';
import { createClient, type KubeClient } from '#edge/kube/client.ts';
import { inClusterAccess, type PodEnvironment } from '#edge/kube/in-cluster.ts';
import { kubeconfigPaths } from '#edge/kube/kubeconfig-files.ts';
import { KubeconfigInvalid } from '#edge/kube/kubeconfig-invalid.ts';
import { loadKubeconfig } from '#edge/kube/kubeconfig.ts';
import type { Outcome, Refusal } from '#edge/kube/outcome.ts';
import type { PaceFigures } from '#edge/kube/request-pace.ts';
import type { Transport } from '#edge/kube/transport.ts';
import { Unavailable } from '#edge/kube/unavailable.ts';
import { undiciTransport } from '#edge/kube/undici-transport.ts';
import type { KubeObject } from '#kube/object.ts';
import { ExitError } from './exit.ts';

/** The flags of all commands that connect to a cluster. */
export type ClusterFlags = {
  readonly kubeconfig?: string | undefined;
  /** The context of the kubeconfig; the current one unless given. */
  readonly context?: string | undefined;
  /** The user to impersonate. */
  readonly as?: string | undefined;
  readonly asGroup?: readonly string[] | undefined;
};

export type OpenCluster = {
  readonly client: KubeClient;
  readonly transport: Transport;
  readonly server: string;
  /** The CA of its certificate, in PEM; undefined: a CA of the system, or none. */
  readonly ca: string | undefined;
  readonly namespace: string;
  /** How fast requests are sent at present. */
  readonly pace: () => PaceFigures;
  close(): Promise<void>;
};

/** How long a command waits for an answer. */
export const patienceMillis = 30_000;

/**
 * The cluster that `--kubeconfig`, else `KUBECONFIG`, else the home folder names; in a pod without any of them,
 * the pod's own. No request is sent yet.
 */
export const openCluster = (flags: ClusterFlags, userAgent: string): OpenCluster =>
  openAccess(clusterAccess(flags), userAgent);

/** How to reach the cluster of the flags, and as whom. */
export function clusterAccess(flags: ClusterFlags): ClusterAccess {
  const { kubeconfig } = flags;
  mustNotBeEmpty(flags);
  const paths =
    kubeconfig === undefined ? kubeconfigPaths(process.env['KUBECONFIG'], homedir()) : [kubeconfig];
  return impersonating(accessIn(paths, flags), flags);
}

export function openAccess(access: ClusterAccess, userAgent: string): OpenCluster {
  const surroundings = { terminal: process.stdin.isTTY, env: process.env };
  const opened = undiciTransport(access, systemClock, surroundings);
  const { transport } = opened;
  const client = createClient({ transport, clock: systemClock, userAgent });
  const { server, ca, namespace } = access;
  return { client, transport, server, ca, namespace, pace: opened.pace, close: () => opened.close() };
}

/** The object of a successful request. A refusal ends the command with its exit code. */
export function mustBe(outcome: Outcome, what: string): KubeObject {
  if (outcome.type === 'ok') return outcome.object;
  throw refusedExit(outcome, what);
}

/** How a command ends when the server refuses a request. */
export function refusedExit(refusal: Refusal, what: string): ExitError {
  const { type } = refusal;
  const message = harmlessText(refusal.message);
  if (type === 'not-found') return new RefusedExit(1, `${what} does not exist`, refusal);
  if (type === 'unauthorized')
    return new RefusedExit(5, `the cluster refused the login: ${message}`, refusal);
  return new RefusedExit(1, `${what}: ${message}`, refusal);
}

/** Ends a command because the server refused a request. */
export class RefusedExit extends ExitError {
  readonly refusal: Refusal;
  constructor(code: number, message: string, refusal: Refusal) {
    super(code, message);
    this.refusal = refusal;
  }
}

export function explainedOutage(error: unknown, server: string): unknown {
  const isLate = error instanceof Error && error.name === 'TimeoutError';
  if (!(error instanceof Unavailable) && !isLate) return error;
  const why = isLate ? `no answer in ${patienceMillis / 1000} s` : error.message;
  return new ExitError(5, `the cluster at ${server} cannot be reached: ${why}`);
}

/** An empty text is often a variable that is not set: the command would use another cluster or user than meant. */
function mustNotBeEmpty({ context, as: user, asGroup = [] }: ClusterFlags): void {
  if (context === '') throw new ExitError(2, '--context is empty: name a context of the kubeconfig');
  if (user === '') throw new ExitError(2, '--as is empty: name the user to impersonate');
  if (asGroup.includes('')) throw new ExitError(2, '--as-group is empty: name the group to impersonate');
}

function impersonating(
  access: ClusterAccess,
  { as: user, asGroup: groups = [] }: ClusterFlags,
): ClusterAccess {
  if (user === undefined) {
    if (groups.length > 0) throw new ExitError(2, '--as-group needs --as: name the user to impersonate');
    return access;
  }
  return { ...access, user: { ...access.user, impersonate: { user, uid: undefined, groups } } };
}

function accessIn(paths: readonly string[], { kubeconfig, context }: ClusterFlags): ClusterAccess {
  const mayBeOwn = kubeconfig === undefined && context === undefined;
  try {
    const access =
      loadKubeconfig(paths, context) ?? (mayBeOwn ? inClusterAccess(podEnvironment()) : undefined);
    if (access !== undefined) return access;
  } catch (error) {
    if (error instanceof KubeconfigInvalid) throw new ExitError(2, error.message);
    throw error;
  }
  const where = paths.join(', ');
  const inPod =
    process.env['KUBERNETES_SERVICE_HOST'] === undefined ? '' : ', or let the pod have its service account';
  throw new ExitError(
    2,
    `there is no kubeconfig at ${where}: name one with --kubeconfig or KUBECONFIG${inPod}`,
  );
}

const podEnvironment = (): PodEnvironment => ({
  KUBERNETES_SERVICE_HOST: process.env['KUBERNETES_SERVICE_HOST'],
  KUBERNETES_SERVICE_PORT: process.env['KUBERNETES_SERVICE_PORT'],
});
