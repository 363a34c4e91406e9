import { expect } from 'vitest';
import { stringify } from 'yaml';
import { kubectlTests, type Check } from '../support/kubectl-checks.ts';

type Made = {
  readonly name: string;
  readonly args: readonly string[];
  readonly says: string;
  /** What is stored then; without it, only what kubectl said counts. */
  readonly stored?: object;
};

const container = { name: 'c', image: 'example.com/c:1' };

/** `kubectl create …`: from 1.32 on these bodies are protobuf. */
const made: readonly Made[] = [
  {
    name: 'configmap',
    args: ['create', 'configmap', 'x', '--from-literal=tide=low', '--from-literal=moon=full'],
    says: 'configmap/x created',
    stored: { data: { tide: 'low', moon: 'full' } },
  },
  {
    name: 'secret generic',
    args: ['create', 'secret', 'generic', 'x', '--from-literal=word=sesame'],
    says: 'secret/x created',
    stored: { type: 'Opaque', data: { word: 'c2VzYW1l' } },
  },
  {
    name: 'secret docker-registry',
    args: ['create', 'secret', 'docker-registry', 'x', '--docker-username=u', '--docker-password=p'],
    says: 'secret/x created',
    stored: { type: 'kubernetes.io/dockerconfigjson' },
  },
  {
    name: 'serviceaccount',
    args: ['create', 'serviceaccount', 'x'],
    says: 'serviceaccount/x created',
    stored: {},
  },
  {
    name: 'deployment',
    args: ['create', 'deployment', 'x', '--image=example.com/c:1', '--replicas=2', '--port=80'],
    says: 'deployment.apps/x created',
    stored: {
      spec: {
        replicas: 2,
        selector: { matchLabels: { app: 'x' } },
        strategy: { type: 'RollingUpdate' },
        template: {
          spec: { containers: [{ ...container, ports: [{ containerPort: 80, protocol: 'TCP' }] }] },
        },
      },
    },
  },
  {
    name: 'job',
    args: ['create', 'job', 'x', '--image=example.com/c:1', '--', 'sh', '-c', 'true'],
    says: 'job.batch/x created',
    stored: {
      spec: {
        parallelism: 1,
        template: { spec: { restartPolicy: 'Never', containers: [{ command: ['sh', '-c', 'true'] }] } },
      },
    },
  },
  {
    name: 'cronjob',
    args: ['create', 'cronjob', 'x', '--image=example.com/c:1', '--schedule=0 0 1 1 *'],
    says: 'cronjob.batch/x created',
    stored: { spec: { schedule: '0 0 1 1 *', concurrencyPolicy: 'Allow' } },
  },
  {
    name: 'service clusterip',
    args: ['create', 'service', 'clusterip', 'x', '--tcp=80:8080'],
    says: 'service/x created',
    stored: { spec: { type: 'ClusterIP', ports: [{ port: 80, targetPort: 8080, protocol: 'TCP' }] } },
  },
  {
    name: 'ingress',
    args: ['create', 'ingress', 'x', '--rule=example.com/*=web:80'],
    says: 'ingress.networking.k8s.io/x created',
    stored: { spec: { rules: [{ host: 'example.com' }] } },
  },
  {
    name: 'role',
    args: ['create', 'role', 'x', '--verb=get', '--resource=pods'],
    says: 'role.rbac.authorization.k8s.io/x created',
    stored: { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] },
  },
  {
    name: 'rolebinding',
    args: ['create', 'rolebinding', 'x', '--role=x', '--user=ada'],
    says: 'rolebinding.rbac.authorization.k8s.io/x created',
    stored: { roleRef: { kind: 'Role', name: 'x' }, subjects: [{ kind: 'User', name: 'ada' }] },
  },
  {
    name: 'quota',
    args: ['create', 'quota', 'x', '--hard=pods=3'],
    says: 'resourcequota/x created',
    stored: { spec: { hard: { pods: '3' } } },
  },
  {
    name: 'poddisruptionbudget',
    args: ['create', 'poddisruptionbudget', 'x', '--selector=app=web', '--min-available=1'],
    says: 'poddisruptionbudget.policy/x created',
    stored: { spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } } },
  },
];

const checks: readonly Check[] = [
  ...made.map(({ name, args, says, stored = {} }): Check => ({
    name: `create ${name} stores the object`,
    async act({ kubectl, namespace }) {
      const dashes = args.indexOf('--');
      const flags = ['--namespace', namespace];
      const full = dashes < 0 ? [...args, ...flags] : args.toSpliced(dashes, 0, ...flags);
      expect(await kubectl.run(full)).toBe(`${says}\n`);
      const kind = says.split('/')[0] ?? '';
      expect(await kubectl.json<object>(['get', kind, 'x'])).toMatchObject({
        metadata: { name: 'x', namespace, uid: expect.stringMatching(/-/) as string },
        ...stored,
      });
    },
  })),
  {
    name: 'create namespace makes one that is active, with its account and the CA of the cluster',
    async act({ kubectl, namespace, server }) {
      const name = `${namespace}-made`;
      expect(await kubectl.run(['create', 'namespace', name])).toBe(`namespace/${name} created\n`);
      const read = await kubectl.json<object>(['get', 'namespace', name]);
      expect(read).toMatchObject({
        metadata: { labels: { 'kubernetes.io/metadata.name': name } },
        status: { phase: 'Active' },
      });
      await using account = await kubectl.watching([
        'get',
        'serviceaccounts',
        '--watch',
        '--output=name',
        '--namespace',
        name,
      ]);
      expect(await account.line()).toBe('serviceaccount/default');
      await using root = await kubectl.watching([
        'get',
        'configmaps',
        '--watch',
        '--output=jsonpath={.data.ca\\.crt}{"\\n"}',
        '--namespace',
        name,
      ]);
      expect(await root.line()).toBe(server.access.ca.split('\n')[0]);
    },
  },
  {
    name: 'create of what is there already is refused',
    async act({ kubectl }) {
      await kubectl.run(['create', 'serviceaccount', 'x']);
      const { code, error } = await kubectl.attempt(['create', 'serviceaccount', 'x']);
      expect(code).toBe(1);
      expect(error).toMatch(/serviceaccounts? "x" already exists/);
    },
  },
  {
    name: 'create of what is not valid names the field',
    async act({ kubectl }) {
      const { code, error } = await kubectl.attempt(['create', 'configmap', 'Not_A_Name']);
      expect(code).toBe(1);
      expect(error).toMatch(/"?Not_A_Name"? is invalid: metadata\.name: Invalid value: "Not_A_Name"/);
    },
  },
  {
    name: 'create in a namespace that does not exist is refused',
    async act({ kubectl }) {
      const args = ['create', 'serviceaccount', 'x', '--namespace', 'nowhere'];
      const { code, error } = await kubectl.attempt(args);
      expect(code).toBe(1);
      expect(error).toMatch(/namespaces "nowhere" not found/);
    },
  },
  {
    name: 'create --validate=false -f reads several documents and lists',
    async act({ kubectl }) {
      const one = (name: string): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
      const list = { apiVersion: 'v1', kind: 'List', items: [one('b'), one('c')] };
      const stdin = `${stringify(one('a'))}---\n${stringify(list)}`;
      const out = await kubectl.run(['create', '--validate=false', '-f', '-'], { stdin });
      expect(out).toBe('configmap/a created\nconfigmap/b created\nconfigmap/c created\n');
    },
  },
  {
    name: 'run makes a pod with the usual defaults',
    async act({ kubectl, namespace, api }) {
      const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts?watch=true`;
      await api.seen(accounts, ({ object }) => object.metadata?.name === 'default');
      expect(await kubectl.run(['run', 'x', '--image=example.com/c:1'])).toBe('pod/x created\n');
      expect(await kubectl.json<object>(['get', 'pod', 'x'])).toMatchObject({
        metadata: { labels: { run: 'x' } },
        spec: { restartPolicy: 'Always', serviceAccountName: 'default', schedulerName: 'default-scheduler' },
        status: { phase: 'Pending', qosClass: 'BestEffort' },
      });
    },
  },
  {
    name: 'expose makes a service for a deployment',
    async act({ kubectl }) {
      await kubectl.run(['create', 'deployment', 'x', '--image=example.com/c:1']);
      expect(await kubectl.run(['expose', 'deployment', 'x', '--port=80'])).toBe('service/x exposed\n');
      const service = await kubectl.json<{ spec: { clusterIP: string } }>(['get', 'service', 'x']);
      expect(service.spec).toMatchObject({ selector: { app: 'x' }, ports: [{ port: 80 }] });
      expect(service.spec.clusterIP).toMatch(/^10\.\d+\.\d+\.\d+$/);
    },
  },
  {
    name: 'autoscale makes an autoscaler for a deployment',
    slow: true,
    async act({ kubectl }) {
      await kubectl.run(['create', 'deployment', 'x', '--image=example.com/c:1']);
      await kubectl.run(['autoscale', 'deployment', 'x', '--min=2', '--max=5', '--cpu-percent=80']);
      const hpa = await kubectl.json<object>(['get', 'horizontalpodautoscalers.autoscaling', 'x']);
      expect(hpa).toMatchObject({
        apiVersion: 'autoscaling/v2',
        spec: { minReplicas: 2, maxReplicas: 5, scaleTargetRef: { kind: 'Deployment', name: 'x' } },
      });
    },
  },
];

await kubectlTests('make', checks);
