import { expect } from 'vitest';
import { kubectlTests, type Check } from '../support/kubectl-checks.ts';

type Versions = {
  readonly clientVersion: { readonly minor: string };
  readonly serverVersion: { readonly major: string; readonly minor: string; readonly gitVersion: string };
};

const checks: readonly Check[] = [
  {
    name: 'version names the client and the server',
    async act({ kubectl, minor }) {
      const { clientVersion, serverVersion } = await kubectl.json<Versions>(['version']);
      expect(Number.parseInt(clientVersion.minor, 10)).toBe(minor);
      expect(serverVersion.major).toBe('1');
      expect(serverVersion.gitVersion).toMatch(
        new RegExp(`^v1\\.${serverVersion.minor}\\.\\d+\\+boathook\\.`),
      );
    },
  },
  {
    name: 'api-resources lists kinds with short names, groups and scopes',
    async act({ kubectl }) {
      const rows = (await kubectl.run(['api-resources', '--no-headers']))
        .trim()
        .split('\n')
        .map((line) => line.trim().split(/\s+/).join(' '));
      expect(rows).toEqual(
        expect.arrayContaining([
          'configmaps cm v1 true ConfigMap',
          'namespaces ns v1 false Namespace',
          'deployments deploy apps/v1 true Deployment',
          'customresourcedefinitions crd,crds apiextensions.k8s.io/v1 false CustomResourceDefinition',
          'events ev events.k8s.io/v1 true Event',
          'horizontalpodautoscalers hpa autoscaling/v2 true HorizontalPodAutoscaler',
        ]),
      );
    },
  },
  {
    name: 'api-resources --verbs and --namespaced choose kinds',
    async act({ kubectl }) {
      const out = await kubectl.run([
        'api-resources',
        '--verbs=list,watch',
        '--namespaced=false',
        '--output',
        'name',
      ]);
      const names = out.trim().split('\n');
      expect(names).toEqual(
        expect.arrayContaining(['namespaces', 'nodes', 'clusterroles.rbac.authorization.k8s.io']),
      );
      expect(names).not.toContain('pods');
      expect(names).not.toContain('selfsubjectaccessreviews.authorization.k8s.io');
    },
  },
  {
    name: 'api-versions lists groups and versions',
    async act({ kubectl }) {
      const versions = (await kubectl.run(['api-versions'])).trim().split('\n');
      expect(versions).toEqual(
        expect.arrayContaining(['v1', 'apps/v1', 'batch/v1', 'apiextensions.k8s.io/v1', 'policy/v1']),
      );
    },
  },
  {
    name: 'cluster-info prints the address of the server',
    async act({ kubectl, server }) {
      const { code, out } = await kubectl.attempt(['cluster-info']);
      expect(code).toBe(0);
      expect(out).toContain(server.url);
    },
  },
  {
    name: 'config view shows the context and hides the key',
    async act({ kubectl, server }) {
      const view = await kubectl.run(['config', 'view', '--minify']);
      expect(view).toContain(`server: ${server.url}`);
      expect(view).toMatch(/client-key-data: (REDACTED|DATA\+OMITTED)/);
      expect(await kubectl.run(['config', 'current-context'])).toBe('boathook\n');
    },
  },
  {
    name: 'get --raw reads any path',
    async act({ kubectl, namespace }) {
      expect(await kubectl.run(['get', '--raw', '/readyz'])).toBe('ok');
      const list = JSON.parse(
        await kubectl.run(['get', '--raw', `/api/v1/namespaces/${namespace}/secrets?limit=1`]),
      ) as object;
      expect(list).toMatchObject({ kind: 'SecretList', apiVersion: 'v1', items: [] });
    },
  },
  {
    name: 'create --raw posts any body',
    async act({ kubectl, namespace }) {
      const path = `/api/v1/namespaces/${namespace}/configmaps`;
      const stdin = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'raw' } });
      const made = JSON.parse(await kubectl.run(['create', '--raw', path, '-f', '-'], { stdin })) as object;
      expect(made).toMatchObject({ kind: 'ConfigMap', metadata: { name: 'raw', namespace } });
    },
  },
  {
    name: 'auth can-i allows the administrator',
    async act({ kubectl }) {
      expect(await kubectl.run(['auth', 'can-i', 'create', 'deployments.apps'])).toBe('yes\n');
      expect(await kubectl.run(['auth', 'can-i', 'delete', 'nodes', '--quiet'])).toBe('');
    },
  },
  {
    name: 'auth can-i --list shows that everything is allowed',
    async act({ kubectl }) {
      const out = await kubectl.run(['auth', 'can-i', '--list']);
      expect(out).toMatch(/^\*\.\*\s+\[\]\s+\[\]\s+\[\*\]$/m);
    },
  },
  {
    name: 'auth whoami names the user of the certificate',
    async act({ kubectl }) {
      const review = await kubectl.json<object>(['auth', 'whoami']);
      expect(review).toMatchObject({
        kind: 'SelfSubjectReview',
        status: {
          userInfo: { username: 'boathook-admin', groups: ['system:masters', 'system:authenticated'] },
        },
      });
    },
  },
  {
    name: 'events lists what happened, and to whom',
    async act({ kubectl, namespace, api }) {
      const about = (name: string): object => ({
        metadata: { name: `${name}.1` },
        involvedObject: { apiVersion: 'v1', kind: 'Pod', name, namespace },
        type: 'Warning',
        reason: 'Adrift',
        message: `${name} lost its anchor`,
        lastTimestamp: new Date().toISOString().replace(/\.\d+/, ''),
      });
      for (const name of ['dinghy', 'barge'])
        await api.create(`/api/v1/namespaces/${namespace}/events`, about(name));
      const all = await kubectl.run(['events']);
      expect(all).toMatch(/Warning\s+Adrift\s+Pod\/dinghy\s+dinghy lost its anchor/);
      expect(all).toMatch(/Pod\/barge/);
      const some = await kubectl.run(['events', '--for', 'pod/dinghy']);
      expect(some).toMatch(/Pod\/dinghy/);
      expect(some).not.toMatch(/Pod\/barge/);
    },
  },
  {
    name: 'get events shows both event groups',
    async act({ kubectl, namespace, api }) {
      await api.create(`/apis/events.k8s.io/v1/namespaces/${namespace}/events`, {
        metadata: { name: 'new.1' },
        eventTime: '2024-01-01T00:00:00.000000Z',
        reportingController: 'example.com/mate',
        reportingInstance: 'mate-0',
        action: 'Look',
        reason: 'Sighted',
        note: 'land ahead',
        type: 'Normal',
        regarding: { apiVersion: 'v1', kind: 'Pod', name: 'barge', namespace },
      });
      expect(await kubectl.run(['get', 'events'])).toMatch(/Normal\s+Sighted\s+pod\/barge\s+land ahead/);
      const { note } = await kubectl.json<{ note: string }>(['get', 'events.v1.events.k8s.io', 'new.1']);
      expect(note).toBe('land ahead');
    },
  },
  {
    name: 'a wrong user gets Unauthorized',
    async act({ kubectl, server }) {
      const args = ['get', 'namespaces', '--kubeconfig=/dev/null', `--server=${server.url}`];
      const { code, error } = await kubectl.attempt([...args, '--insecure-skip-tls-verify', '--token=wrong']);
      expect(code).toBe(1);
      expect(error).toMatch(/^error: You must be logged in to the server/m);
    },
  },
];

await kubectlTests('look', checks);
