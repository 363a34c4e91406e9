import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBoathook, wholeCluster, type Boathook } from '../support/boathook.ts';
import { openApi, type HttpsApi, type Thing } from '../support/https-api.ts';
import type { Bench, Check } from '../support/kubectl-checks.ts';
import type { Gap } from '../support/kubectl-gaps.ts';
import { findKubectls, KubectlFailed, openTerminal, type Terminal } from '../support/kubectl.ts';

const nodeNames = ['node-1', 'node-2', 'node-3'];
const apply = ['apply', '--filename=-'];
const patience = '--timeout=300s';
const sim = (key: string): string => `sim.boathook.dev/${key}`;
type Annotations = Readonly<Record<string, string>>;

const container = (name: string): object => ({ name, image: `example.com/${name}:1` });
const podSpec = (more: object = {}): object => ({ containers: [container('app')], ...more });
const template = (app: string, annotations: Annotations = {}, more: object = {}): object => ({
  metadata: { labels: { app }, annotations },
  spec: podSpec(more),
});
const pod = (name: string, annotations: Annotations = {}, more: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, annotations },
  spec: podSpec(more),
});
const workload = (kind: string, app: string, spec: object, annotations: Annotations = {}): object => ({
  apiVersion: 'apps/v1',
  kind,
  metadata: { name: app },
  spec: { selector: { matchLabels: { app } }, template: template(app, annotations), ...spec },
});

/** Fields of an object that a test reads. */
type Pod = {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly deletionTimestamp?: string;
    readonly ownerReferences?: unknown;
  };
  readonly spec: { readonly nodeName: string };
  readonly status: {
    readonly conditions: readonly {
      readonly type: string;
      readonly status: string;
      readonly reason?: string;
    }[];
    readonly containerStatuses: readonly ContainerStatus[];
  };
};
type ContainerStatus = {
  readonly name: string;
  readonly image: string;
  readonly imageID: string;
  readonly containerID: string;
  readonly restartCount: number;
  readonly state: Readonly<Record<string, { readonly reason?: string } | undefined>>;
};
type List<Item> = { readonly items: readonly Item[] };

const put = (kubectl: Terminal, ...objects: readonly object[]): Promise<string> =>
  kubectl.run(apply, { stdin: JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }) });
const names = async (kubectl: Terminal, ...what: readonly string[]): Promise<readonly string[]> =>
  (await kubectl.run(['get', ...what, '--output=name'])).split('\n').filter((name) => name !== '');
/** Those that stay: a pod may be on its way out for a while after nobody counts it any more. */
const podsOf = async (kubectl: Terminal, app: string): Promise<readonly Pod[]> =>
  (await allPodsOf(kubectl, app)).filter(({ metadata }) => metadata.deletionTimestamp === undefined);
const allPodsOf = async (kubectl: Terminal, app: string): Promise<readonly Pod[]> =>
  (await kubectl.json<List<Pod>>(['get', 'pods', `--selector=app=${app}`])).items;
const rolledOut = (kubectl: Terminal, name: string): Promise<string> =>
  kubectl.run(['rollout', 'status', name, patience]);
const images = async (kubectl: Terminal, app: string): Promise<readonly string[]> =>
  (await podsOf(kubectl, app)).map(({ status }) => status.containerStatuses[0]?.image ?? '');

/** The object when it is as wanted, watched from now on. */
async function becomes<Wanted>(
  { api }: Bench,
  [collection, name]: readonly [path: string, name: string],
  isWanted: (object: Wanted) => boolean,
): Promise<Wanted> {
  const path = `${collection}?watch=true&fieldSelector=metadata.name%3D${name}`;
  const { object } = await api.seen(path, (event) => isWanted(event.object as Wanted));
  return object as Wanted;
}
const podPath = ({ namespace }: Bench, name: string): readonly [string, string] => [
  `/api/v1/namespaces/${namespace}/pods`,
  name,
];

/** The event reasons that describe shows for a pod, once the expected ones are there. */
async function describedReasons(
  bench: Bench,
  name: string,
  ...expected: readonly string[]
): Promise<string[]> {
  const missing = new Set(expected);
  const events = `/api/v1/namespaces/${bench.namespace}/events?watch=true&fieldSelector=involvedObject.name%3D${name}`;
  await bench.api.seen(events, ({ object }) => {
    missing.delete(String(object['reason']));
    return missing.size === 0;
  });
  const [, table = ''] = (await bench.kubectl.run(['describe', 'pod', name])).split(/^Events:\n/m);
  const rows = table.split('\n').slice(2);
  return rows.map((row) => row.trim().split(/\s+/)[1] ?? '').filter((reason) => reason !== '');
}

async function deploy({ kubectl }: Bench, replicas: number, annotations: Annotations = {}): Promise<void> {
  await put(kubectl, workload('Deployment', 'web', { replicas }, annotations));
  await rolledOut(kubectl, 'deployment/web');
}

const checks: readonly Check[] = [
  {
    name: 'the nodes are there and ready',
    async act({ kubectl }) {
      const table = await kubectl.run(['get', 'nodes', '--no-headers']);
      const rows = table
        .trimEnd()
        .split('\n')
        .map((row) => row.split(/\s+/).slice(0, 2));
      expect(rows).toEqual(nodeNames.map((name) => [name, 'Ready']));
    },
  },
  {
    name: 'a Deployment rolls out, and set image rolls it on',
    async act(bench) {
      const { kubectl } = bench;
      await put(kubectl, workload('Deployment', 'web', { replicas: 3 }));
      expect(await rolledOut(kubectl, 'deployment/web')).toContain(
        'deployment "web" successfully rolled out\n',
      );
      const before = await podsOf(kubectl, 'web');
      expect(before).toHaveLength(3);
      await kubectl.run(['set', 'image', 'deployment/web', 'app=example.com/app:2']);
      await rolledOut(kubectl, 'deployment/web');
      expect(await kubectl.run(['get', 'deployment', 'web', '--no-headers'])).toMatch(/^web +3\/3 +3 +3 /);
      expect(await images(kubectl, 'web')).toEqual(Array(3).fill('example.com/app:2'));
      const after = await podsOf(kubectl, 'web');
      expect(after.filter(({ metadata }) => before.some((old) => old.metadata.uid === metadata.uid))).toEqual(
        [],
      );
    },
  },
  {
    name: 'rollout history lists the revisions, and undo returns to one',
    async act(bench) {
      const { kubectl } = bench;
      await deploy(bench, 2);
      await kubectl.run(['set', 'image', 'deployment/web', 'app=example.com/app:2']);
      await rolledOut(kubectl, 'deployment/web');
      const revisions = async (): Promise<readonly string[]> => {
        const history = await kubectl.run(['rollout', 'history', 'deployment/web']);
        return [...history.matchAll(/^(\d+) /gm)].map(([, number = '']) => number);
      };
      expect(await revisions()).toEqual(['1', '2']);
      const first = await kubectl.run(['rollout', 'history', 'deployment/web', '--revision=1']);
      expect(first).toMatch(/Image:\s+example.com\/app:1\n/);
      const setsBefore = await names(kubectl, 'replicasets');
      expect(await kubectl.run(['rollout', 'undo', 'deployment/web'])).toBe(
        'deployment.apps/web rolled back\n',
      );
      await rolledOut(kubectl, 'deployment/web');
      expect(await images(kubectl, 'web')).toEqual(Array(2).fill('example.com/app:1'));
      expect(await revisions()).toEqual(['2', '3']);
      expect(await names(kubectl, 'replicasets')).toEqual(setsBefore);
    },
  },
  {
    name: 'rollout restart replaces every pod of a Deployment',
    async act(bench) {
      const { kubectl } = bench;
      await deploy(bench, 2);
      const before = new Set((await podsOf(kubectl, 'web')).map(({ metadata }) => metadata.uid));
      await kubectl.run(['rollout', 'restart', 'deployment/web']);
      await rolledOut(kubectl, 'deployment/web');
      const after = await podsOf(kubectl, 'web');
      expect(after).toHaveLength(2);
      expect(after.filter(({ metadata }) => before.has(metadata.uid))).toEqual([]);
    },
  },
  {
    name: 'rollout pause delays a change, and resume applies it',
    async act(bench) {
      const { kubectl, namespace } = bench;
      await deploy(bench, 2);
      await kubectl.run(['rollout', 'pause', 'deployment/web']);
      await kubectl.run(['set', 'image', 'deployment/web', 'app=example.com/app:2']);
      await becomes<{ metadata: { generation: number }; status: { observedGeneration?: number } }>(
        bench,
        [`/apis/apps/v1/namespaces/${namespace}/deployments`, 'web'],
        ({ metadata, status }) => status.observedGeneration === metadata.generation,
      );
      expect(await names(kubectl, 'replicasets')).toHaveLength(1);
      expect(await images(kubectl, 'web')).toEqual(Array(2).fill('example.com/app:1'));
      await kubectl.run(['rollout', 'resume', 'deployment/web']);
      await rolledOut(kubectl, 'deployment/web');
      expect(await images(kubectl, 'web')).toEqual(Array(2).fill('example.com/app:2'));
    },
  },
  {
    name: 'scale changes the number of pods, up and down',
    async act(bench) {
      const { kubectl, api, namespace } = bench;
      await deploy(bench, 1);
      for (const count of [4, 2]) {
        expect(await kubectl.run(['scale', 'deployment/web', `--replicas=${count}`])).toBe(
          'deployment.apps/web scaled\n',
        );
        await becomes<{ status: { readyReplicas?: number; replicas?: number } }>(
          bench,
          [`/apis/apps/v1/namespaces/${namespace}/deployments`, 'web'],
          ({ status }) => status.readyReplicas === count && status.replicas === count,
        );
        const { body } = await api.send('GET', `/api/v1/namespaces/${namespace}/pods`);
        const staying = (body['items'] as readonly Thing[]).filter(
          ({ metadata }) => metadata?.['deletionTimestamp'] === undefined,
        );
        expect(staying).toHaveLength(count);
      }
      await kubectl.refused(
        ['scale', 'deployment/web', '--current-replicas=7', '--replicas=1'],
        /[Ee]xpected replicas to be 7/,
      );
    },
  },
  {
    name: 'a StatefulSet comes up in order, each pod with a bound claim of its own',
    async act(bench) {
      const { kubectl, namespace } = bench;
      const claim = {
        metadata: { name: 'data' },
        spec: {
          accessModes: ['ReadWriteOnce'],
          storageClassName: namespace,
          resources: { requests: { storage: '1Gi' } },
        },
      };
      const storageClass = {
        apiVersion: 'storage.k8s.io/v1',
        kind: 'StorageClass',
        metadata: { name: namespace },
        provisioner: 'example.com/quay',
      };
      await using watching = await kubectl.watching(['get', 'pods', '--watch', '--no-headers']);
      const spec = { serviceName: 'db', replicas: 3, volumeClaimTemplates: [claim] };
      await put(kubectl, storageClass, workload('StatefulSet', 'db', spec));
      const order: string[] = [];
      while (order.at(-1) !== 'db-2 is ready') {
        const [name = '', ready, status] = (await watching.line()).split(/\s+/);
        const said = ready === '1/1' && status === 'Running' ? `${name} is ready` : `${name} is there`;
        if (!order.includes(said)) order.push(said);
      }
      expect(order).toEqual(
        ['db-0', 'db-1', 'db-2'].flatMap((name) => [`${name} is there`, `${name} is ready`]),
      );
      await rolledOut(kubectl, 'statefulset/db');
      const claims = await kubectl.run(['get', 'persistentvolumeclaims', '--no-headers']);
      const rows = claims
        .trimEnd()
        .split('\n')
        .map((row) => row.split(/\s+/).slice(0, 4));
      expect(rows).toEqual(
        [0, 1, 2].map((at) => [`data-db-${at}`, 'Bound', expect.stringMatching(/^pvc-/), '1Gi']),
      );
      await kubectl.run(['scale', 'statefulset/db', '--replicas=1']);
      await becomes<{ status: { replicas?: number } }>(
        bench,
        [`/apis/apps/v1/namespaces/${namespace}/statefulsets`, 'db'],
        ({ status }) => status.replicas === 1,
      );
      await kubectl.run(['wait', '--for=delete', 'pod/db-1', 'pod/db-2', patience]);
      expect(await names(kubectl, 'pods')).toEqual(['pod/db-0']);
      expect(await names(kubectl, 'persistentvolumeclaims')).toHaveLength(3);
    },
  },
  {
    name: 'a DaemonSet has one pod on each node',
    async act({ kubectl }) {
      await put(kubectl, workload('DaemonSet', 'agent', {}));
      expect(await rolledOut(kubectl, 'daemonset/agent')).toContain('successfully rolled out');
      const places = (await podsOf(kubectl, 'agent')).map(({ spec }) => spec.nodeName);
      expect(places.toSorted((one, other) => one.localeCompare(other))).toEqual(nodeNames);
    },
  },
  {
    name: 'a Job completes',
    async act({ kubectl }) {
      const jobTemplate = template('once', { [sim('run-duration')]: '100ms' }, { restartPolicy: 'Never' });
      await put(kubectl, {
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: { name: 'once' },
        spec: { completions: 3, parallelism: 2, template: jobTemplate },
      });
      expect(await kubectl.run(['wait', '--for=condition=complete', 'job/once', patience])).toBe(
        'job.batch/once condition met\n',
      );
      const rows = (await kubectl.run(['get', 'pods', '--no-headers'])).trimEnd().split('\n');
      expect(rows.map((row) => row.split(/\s+/).slice(1, 4))).toEqual(
        [1, 2, 3].map(() => ['0/1', 'Completed', '0']),
      );
    },
  },
  {
    name: 'a Job whose pods fail gives up after its back-off limit',
    async act({ kubectl, api, namespace }) {
      const failing = { [sim('run-duration')]: '50ms', [sim('exit-code')]: '7' };
      await put(kubectl, {
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: { name: 'never' },
        spec: { backoffLimit: 0, template: template('never', failing, { restartPolicy: 'Never' }) },
      });
      await kubectl.run(['wait', '--for=condition=failed', 'job/never', patience]);
      const events = `/api/v1/namespaces/${namespace}/events?watch=true&fieldSelector=involvedObject.name%3Dnever`;
      await api.seen(events, ({ object }) => object['reason'] === 'BackoffLimitExceeded');
      expect(await kubectl.run(['describe', 'job', 'never'])).toMatch(/Warning +BackoffLimitExceeded/);
    },
  },
  {
    name: 'a CronJob can be triggered by hand',
    async act({ kubectl }) {
      const jobTemplate = { spec: { template: template('tick', {}, { restartPolicy: 'Never' }) } };
      await put(kubectl, {
        apiVersion: 'batch/v1',
        kind: 'CronJob',
        metadata: { name: 'tick' },
        spec: { schedule: '* * * * *', jobTemplate },
      });
      await kubectl.run(['create', 'job', 'by-hand', '--from=cronjob/tick']);
      await kubectl.run(['wait', '--for=condition=complete', 'job/by-hand', patience]);
      const job = await kubectl.json<Pod>(['get', 'job', 'by-hand']);
      expect(job.metadata.ownerReferences).toMatchObject([{ kind: 'CronJob', name: 'tick' }]);
    },
  },
  {
    name: 'get pods --watch shows the life of a pod',
    async act({ kubectl }) {
      await using watching = await kubectl.watching(['get', 'pods', '--watch', '--no-headers']);
      await put(kubectl, pod('mayfly', { [sim('ready-delay')]: '500ms', [sim('term-duration')]: '500ms' }));
      const seen: string[] = [];
      const readUntil = async (last: string): Promise<void> => {
        while (seen.at(-1) !== last) {
          const [, ready, status] = (await watching.line()).split(/\s+/);
          const said = `${status} ${ready}`;
          if (seen.at(-1) !== said) seen.push(said);
        }
      };
      await readUntil('Running 1/1');
      await kubectl.run(['delete', 'pod', 'mayfly', '--wait=false']);
      await readUntil('Terminating 1/1');
      expect(seen).toEqual([
        'Pending 0/1',
        'ContainerCreating 0/1',
        'Running 0/1',
        'Running 1/1',
        'Terminating 1/1',
      ]);
      // Whether the last rows say Terminating or Completed, none is ready, and it goes.
      expect(await watching.lineLike(/^mayfly +0\/1 /)).toMatch(/Terminating|Completed/);
    },
  },
  {
    name: 'describe pod shows the events of the pod',
    async act(bench) {
      const { kubectl } = bench;
      const image = `example.com/${bench.namespace}:1`;
      await put(kubectl, pod('plain', {}, { containers: [{ name: 'app', image }] }));
      await kubectl.run(['wait', '--for=condition=Ready', 'pod/plain', patience]);
      const told = ['Scheduled', 'Pulling', 'Pulled', 'Created', 'Started'];
      // Events of one second are in no order.
      expect(new Set(await describedReasons(bench, 'plain', ...told))).toEqual(new Set(told));
    },
  },
  {
    name: 'a pod that fits no node waits, and describe shows why',
    async act(bench) {
      const containers = [{ ...container('app'), resources: { requests: { cpu: '1000' } } }];
      await put(bench.kubectl, pod('giant', {}, { containers }));
      expect(await describedReasons(bench, 'giant', 'FailedScheduling')).toEqual(['FailedScheduling']);
      expect(await bench.kubectl.run(['describe', 'pod', 'giant'])).toContain(
        '0/3 nodes are available: 3 Insufficient cpu.',
      );
      expect(await bench.kubectl.run(['get', 'pod', 'giant', '--no-headers'])).toMatch(
        /^giant +0\/1 +Pending /,
      );
    },
  },
  {
    name: 'logs prints the output of the container, and --previous the output before it crashed',
    async act(bench) {
      const { kubectl } = bench;
      const crash = { 'crash-after': '250ms', 'crash-count': '1', 'exit-code': '3' };
      const annotations = Object.fromEntries(Object.entries(crash).map(([key, text]) => [sim(key), text]));
      await put(kubectl, pod('steady', { [sim('log-line')]: 'all is well' }), pod('weak', annotations));
      await kubectl.run(['wait', '--for=condition=Ready', 'pod/steady', patience]);
      expect(await kubectl.run(['logs', 'steady'])).toMatch(/^all is well$/m);
      await kubectl.refused(
        ['logs', 'steady', '--previous'],
        /previous terminated container "app" in pod "steady" not found/,
      );
      await becomes<Pod>(bench, podPath(bench, 'weak'), ({ status }) => {
        const [first] = status.containerStatuses ?? [];
        return first?.restartCount === 1 && first.state['running'] !== undefined;
      });
      expect(await kubectl.run(['logs', 'weak', '--previous'])).toMatch(/ended with code 3/);
      expect(await kubectl.run(['logs', 'weak'])).not.toMatch(/ended with code 3/);
      expect(await kubectl.run(['describe', 'pod', 'weak'])).toMatch(
        /Last State: +Terminated\n +Reason: +Error\n +Exit Code: +3\n/,
      );
    },
  },
  {
    name: 'get pods shows CrashLoopBackOff and ImagePullBackOff',
    async act(bench) {
      const { kubectl } = bench;
      await using watching = await kubectl.watching(['get', 'pods', '--watch', '--no-headers']);
      await put(kubectl, pod('looping', { [sim('crash-after')]: '50ms' }));
      expect(await watching.lineLike(/CrashLoopBackOff/)).toMatch(/^looping +0\/1 +CrashLoopBackOff +[1-9]/);
      await put(kubectl, pod('absent', { [sim('pull')]: 'error' }));
      expect(await watching.lineLike(/^absent .*Err/)).toMatch(/^absent +0\/1 +ErrImagePull +0 /);
      expect(await watching.lineLike(/ImagePullBackOff/)).toMatch(/^absent +0\/1 +ImagePullBackOff +0 /);
      expect(await describedReasons(bench, 'looping', 'BackOff')).toContain('BackOff');
      expect(await describedReasons(bench, 'absent', 'BackOff', 'Failed')).toContain('Failed');
    },
  },
  {
    name: 'a readiness gate keeps a pod unready until its condition is set',
    async act(bench) {
      const { kubectl, api } = bench;
      const readinessGates = [{ conditionType: 'example.com/checked' }];
      await put(kubectl, pod('gated', {}, { readinessGates }));
      await kubectl.run(['wait', '--for=condition=ContainersReady', 'pod/gated', patience]);
      const before = await kubectl.json<Pod>(['get', 'pod', 'gated']);
      expect(before.status.conditions).toContainEqual(
        expect.objectContaining({ type: 'Ready', status: 'False', reason: 'ReadinessGatesNotReady' }),
      );
      expect(before.status.conditions.map(({ type }) => type)).not.toContain('example.com/checked');
      expect(await kubectl.run(['get', 'pod', 'gated', '--output=wide', '--no-headers'])).toMatch(/ 0\/1\n$/);
      await using waiting = await kubectl.watching(['wait', '--for=condition=Ready', 'pod/gated', patience]);
      const conditions = [{ type: 'example.com/checked', status: 'True' }];
      const path = `${podPath(bench, 'gated').join('/')}/status`;
      await api.send('PATCH', path, { status: { conditions } }, 'application/strategic-merge-patch+json');
      expect(await waiting.line()).toBe('pod/gated condition met');
      expect(await kubectl.run(['get', 'pod', 'gated', '--output=wide', '--no-headers'])).toMatch(/ 1\/1\n$/);
    },
  },
  {
    name: 'set image on a pod restarts exactly that container, in place',
    async act(bench) {
      const { kubectl } = bench;
      await put(kubectl, pod('pair', {}, { containers: [container('one'), container('two')] }));
      await kubectl.run(['wait', '--for=condition=Ready', 'pod/pair', patience]);
      const before = await kubectl.json<Pod>(['get', 'pod', 'pair']);
      await kubectl.run(['set', 'image', 'pod/pair', 'one=example.com/one:2']);
      const after = await becomes<Pod>(bench, podPath(bench, 'pair'), ({ status }) =>
        status.containerStatuses.every(
          ({ name, image, state }) =>
            state['running'] !== undefined && (name !== 'one' || image.endsWith(':2')),
        ),
      );
      const [oldOne, oldTwo] = before.status.containerStatuses;
      const [one, two] = after.status.containerStatuses;
      expect(after.metadata.uid).toBe(before.metadata.uid);
      expect(two).toEqual(oldTwo);
      expect(one).toMatchObject({ name: 'one', image: 'example.com/one:2', restartCount: 1 });
      expect(one?.imageID).not.toBe(oldOne?.imageID);
      expect(one?.containerID).not.toBe(oldOne?.containerID);
      await describedReasons(bench, 'pair', 'Killing');
      expect(await kubectl.run(['describe', 'pod', 'pair'])).toContain(
        'Container one definition changed, will be restarted',
      );
    },
  },
  {
    name: 'cordon keeps pods away from a node, and uncordon lets them back',
    async act(bench) {
      const { kubectl } = bench;
      await kubectl.run(['cordon', 'node-2', 'node-3']);
      expect(await kubectl.run(['get', 'node', 'node-2'])).toMatch(/Ready,SchedulingDisabled/);
      await deploy(bench, 3);
      const places = (await podsOf(kubectl, 'web')).map(({ spec }) => spec.nodeName);
      expect(places).toEqual(['node-1', 'node-1', 'node-1']);
      await kubectl.run(['uncordon', 'node-2', 'node-3']);
      await put(kubectl, pod('choosy', {}, { nodeSelector: { 'kubernetes.io/hostname': 'node-2' } }));
      await kubectl.run(['wait', '--for=condition=Ready', 'pod/choosy', patience]);
    },
  },
  {
    name: 'drain respects a disruption budget: refused at 0, done when there is room',
    async act(bench) {
      const { kubectl, namespace } = bench;
      const app = `web-${namespace}`;
      await put(kubectl, workload('Deployment', app, { replicas: 2 }), {
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: { name: app },
        spec: { minAvailable: 2, selector: { matchLabels: { app } } },
      });
      await rolledOut(kubectl, `deployment/${app}`);
      const allowed = (count: number): Promise<unknown> =>
        becomes<{ status?: { disruptionsAllowed?: number; currentHealthy?: number } }>(
          bench,
          [`/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets`, app],
          ({ status }) => status?.disruptionsAllowed === count && (status.currentHealthy ?? 0) >= 2,
        );
      await allowed(0);
      const node = (await podsOf(kubectl, app))[0]?.spec.nodeName ?? '';
      const drain = ['drain', node, '--ignore-daemonsets', `--pod-selector=app=${app}`];
      await using refused = kubectl.follow(drain);
      await refused.errorLike(/Cannot evict pod as it would violate the pod's disruption budget/);
      await refused.stop();
      expect(await podsOf(kubectl, app)).toHaveLength(2);
      await kubectl.run(['scale', `deployment/${app}`, '--replicas=3']);
      await allowed(1);
      expect(await kubectl.run([...drain, patience])).toMatch(/ evicted\nnode\/\S+ (drained|evicted)\n$/);
      await rolledOut(kubectl, `deployment/${app}`);
      expect((await podsOf(kubectl, app)).map(({ spec }) => spec.nodeName)).not.toContain(node);
      expect(await kubectl.run(['uncordon', node])).toBe(`node/${node} uncordoned\n`);
    },
  },
  {
    name: 'delete --cascade=foreground keeps the Deployment until its pods are gone',
    async act(bench) {
      const { kubectl } = bench;
      await deploy(bench, 2);
      const pods = (await podsOf(kubectl, 'web')).map(({ metadata }) => `pod/${metadata.name}`);
      const hold = (finalizers: readonly string[]): Promise<string> =>
        kubectl.run([
          'patch',
          ...pods,
          '--type=merge',
          `--patch=${JSON.stringify({ metadata: { finalizers } })}`,
        ]);
      await hold(['example.com/hold']);
      await kubectl.run(['delete', 'deployment', 'web', '--cascade=foreground', '--wait=false']);
      const { metadata } = await kubectl.json<{ metadata: object }>(['get', 'deployment', 'web']);
      expect(metadata).toMatchObject({ finalizers: ['foregroundDeletion'] });
      expect(await allPodsOf(kubectl, 'web')).toHaveLength(2);
      await hold([]);
      await kubectl.run(['wait', '--for=delete', 'deployment/web', patience]);
      expect(await names(kubectl, 'deployments,replicasets,pods')).toEqual([]);
    },
  },
  {
    name: 'delete --cascade=orphan leaves the ReplicaSet and its pods running',
    async act(bench) {
      const { kubectl } = bench;
      await deploy(bench, 2);
      const before = await names(kubectl, 'replicasets,pods');
      await kubectl.run(['delete', 'deployment', 'web', '--cascade=orphan']);
      expect(await names(kubectl, 'deployments,replicasets,pods')).toEqual(before);
      const sets = await kubectl.json<List<Pod>>(['get', 'replicasets']);
      expect(sets.items.map(({ metadata }) => metadata.ownerReferences)).toEqual([undefined]);
      // A Deployment of the same name takes them in again instead of making new ones.
      await deploy(bench, 2);
      expect(await names(kubectl, 'replicasets,pods')).toEqual(before);
    },
  },
  {
    name: 'a Service gets endpoints and endpoint slices, of ready pods only',
    async act(bench) {
      const { kubectl, namespace } = bench;
      await deploy(bench, 2);
      await kubectl.run(['expose', 'deployment', 'web', '--port=80', '--target-port=8080']);
      const labels = { app: 'web' };
      const annotations = { [sim('probe')]: 'fail' };
      await put(kubectl, { ...pod('late'), metadata: { name: 'late', labels, annotations } });
      await kubectl.run(['wait', '--for=condition=Initialized', 'pod/late', patience]);
      type Subset = {
        readonly addresses?: readonly object[];
        readonly notReadyAddresses?: readonly object[];
      };
      const endpoints = await becomes<{ subsets?: readonly Subset[] }>(
        bench,
        [`/api/v1/namespaces/${namespace}/endpoints`, 'web'],
        ({ subsets }) => subsets?.[0]?.addresses?.length === 2 && subsets[0].notReadyAddresses?.length === 1,
      );
      expect(endpoints.subsets).toMatchObject([{ ports: [{ port: 8080 }] }]);
      const ofService = `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices?watch=true`;
      type Slice = { endpoints?: readonly { conditions: { ready: boolean }; targetRef: { name: string } }[] };
      const { object } = await bench.api.seen(
        ofService,
        (event) => (event.object as Slice).endpoints?.length === 3,
      );
      const unreadyNames = ((object as Slice).endpoints ?? [])
        .filter(({ conditions }) => !conditions.ready)
        .map(({ targetRef }) => targetRef.name);
      expect(unreadyNames).toEqual(['late']);
      const described = await kubectl.run(['describe', 'service', 'web']);
      expect(described).toMatch(/Endpoints: +\d+(\.\d+){3}:8080,\d+(\.\d+){3}:8080\n/);
    },
  },
  {
    name: 'delete namespace leaves nothing of a running workload behind',
    async act(bench) {
      const { kubectl, namespace } = bench;
      await deploy(bench, 2);
      await put(kubectl, workload('DaemonSet', 'agent', {}));
      await rolledOut(kubectl, 'daemonset/agent');
      await kubectl.run(['expose', 'deployment', 'web', '--port=80']);
      await kubectl.run(['delete', 'namespace', namespace]);
      const kinds = await kubectl.run(['api-resources', '--namespaced', '--verbs=list', '--output=name']);
      expect(kinds).toMatch(/^pods$/m);
      const everything = kinds.trimEnd().split('\n').join(',');
      expect(await names(kubectl, everything)).toEqual([]);
      await kubectl.refused(['get', 'namespace', namespace], /NotFound/);
    },
  },
];

/** What Debian's kubectl 1.20 cannot do here. */
const gaps: readonly Gap[] = [
  {
    name: 'a CronJob can be triggered by hand',
    until: 21,
    says: /no kind "CronJob" is registered for version "batch\/v1"/,
  },
];

const newest = (await findKubectls()).at(-1);
let server: Boathook;
let api: HttpsApi;
beforeAll(async () => {
  server = await startBoathook({ flags: [...wholeCluster, '--profile', 'fast', '--time-scale', '0.2'] });
  api = openApi(server.access, { connections: 16 });
});
afterAll(async () => {
  await api.close();
  await server[Symbol.asyncDispose]();
});

let count = 0;
async function newBench(): Promise<Bench> {
  if (newest === undefined) throw new Error('there is no kubectl on this machine');
  count += 1;
  const namespace = `cluster-${count}`;
  await api.create('/api/v1/namespaces', { metadata: { name: namespace } });
  return { kubectl: openTerminal(newest, server, namespace), minor: newest.minor, namespace, api, server };
}

test('the gaps of old versions are named after checks that exist', () => {
  expect(gaps.filter((gap) => !checks.some(({ name }) => name === gap.name))).toEqual([]);
});

for (const { name, act } of checks) {
  const gap = gaps.find((each) => each.name === name && (newest?.minor ?? 0) < each.until);
  if (gap === undefined) {
    test(name, async () => act(await newBench()));
  } else {
    test(`cannot do: ${name}`, async () => {
      const failed: unknown = await act(await newBench()).catch((error: unknown) => error);
      expect(failed).toBeInstanceOf(KubectlFailed);
      expect(String(failed)).toMatch(gap.says);
    });
  }
}
