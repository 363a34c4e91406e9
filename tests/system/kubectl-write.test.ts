import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { KubectlFailed } from '../support/kubectl.ts';
import { kubectlTests, type Bench, type Check } from '../support/kubectl-checks.ts';

type ConfigMap = {
  readonly metadata: {
    readonly uid: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly resourceVersion: string;
  };
  readonly data?: Readonly<Record<string, string>>;
};

const configMap = (data: Readonly<Record<string, string>>, more: object = {}): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'one', ...more }, data });

const create = ({ api, namespace }: Bench, data: object = { tide: 'low' }): Promise<unknown> =>
  api.create(`/api/v1/namespaces/${namespace}/configmaps`, { metadata: { name: 'one' }, data });

const read = ({ kubectl }: Bench): Promise<ConfigMap> => kubectl.json<ConfigMap>(['get', 'configmap', 'one']);

const labels = { app: 'web' };
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: 1,
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: {
        containers: [
          { name: 'a', image: 'example.com/a:1' },
          { name: 'b', image: 'example.com/b:1' },
        ],
      },
    },
  },
};
const createDeployment = ({ api, namespace }: Bench): Promise<unknown> =>
  api.create(`/apis/apps/v1/namespaces/${namespace}/deployments`, deployment);
type Deployment = {
  readonly spec: {
    readonly replicas: number;
    readonly paused?: boolean;
    readonly template: {
      readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
      readonly spec: { readonly containers: readonly { name: string; image: string; env?: unknown }[] };
    };
  };
};
const readDeployment = ({ kubectl }: Bench): Promise<Deployment> =>
  kubectl.json<Deployment>(['get', 'deployment', 'web']);
const imagesOf = ({ spec }: Deployment): readonly string[] =>
  spec.template.spec.containers.map(({ image }) => image);

const checks: readonly Check[] = [
  {
    name: 'apply --validate=false creates, changes and leaves alone',
    async act(bench) {
      const apply = (data: Readonly<Record<string, string>>): Promise<string> =>
        bench.kubectl.run(['apply', '--validate=false', '-f', '-'], { stdin: configMap(data) });
      expect(await apply({ tide: 'low', moon: 'new' })).toBe('configmap/one created\n');
      expect(await apply({ tide: 'low', moon: 'new' })).toBe('configmap/one unchanged\n');
      expect(await apply({ tide: 'high' })).toBe('configmap/one configured\n');
      expect((await read(bench)).data).toEqual({ tide: 'high' });
    },
  },
  {
    name: 'apply --validate=false of a deployment merges containers by name',
    async act(bench) {
      const { kubectl } = bench;
      const apply = (object: unknown): Promise<string> =>
        kubectl.run(['apply', '--validate=false', '-f', '-'], { stdin: JSON.stringify(object) });
      expect(await apply(deployment)).toBe('deployment.apps/web created\n');
      await kubectl.run(['set', 'image', 'deployment/web', 'b=example.com/b:2']);
      const container = { name: 'a', image: 'example.com/a:3' };
      const spec = {
        ...deployment.spec,
        template: { metadata: { labels }, spec: { containers: [container] } },
      };
      expect(await apply({ ...deployment, spec })).toBe('deployment.apps/web configured\n');
      expect(imagesOf(await readDeployment(bench))).toEqual(['example.com/a:3']);
    },
  },
  {
    name: 'apply --validate=false --prune removes what is no longer in the files',
    slow: true,
    async act({ kubectl }) {
      const labelled = (name: string): object => ({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name, labels: { set: 'one' } },
      });
      const args = ['apply', '--validate=false', '--prune', '--selector', 'set=one', '-f', '-'];
      const list = (...names: string[]): string =>
        JSON.stringify({ apiVersion: 'v1', kind: 'List', items: names.map(labelled) });
      const only = '--prune-whitelist=core/v1/ConfigMap';
      const allow = '--prune-allowlist=core/v1/ConfigMap';
      const choice = (await kubectl.run(['apply', '--help'])).includes('allowlist') ? allow : only;
      await kubectl.run([...args, choice], { stdin: list('kept', 'dropped') });
      expect(await kubectl.run([...args, choice], { stdin: list('kept') })).toContain(
        'configmap/dropped pruned',
      );
      const left = await kubectl.run(['get', 'cm', '--selector', 'set=one', '--output', 'name']);
      expect(left).toBe('configmap/kept\n');
    },
  },
  {
    name: 'label sets, refuses to overwrite, overwrites and removes',
    async act(bench) {
      const { kubectl } = bench;
      await create(bench);
      expect(await kubectl.run(['label', 'configmap', 'one', 'moon=full'])).toBe('configmap/one labeled\n');
      const refused = await kubectl.attempt(['label', 'configmap', 'one', 'moon=new']);
      expect(refused.code).toBe(1);
      expect(refused.error).toMatch(/already has a value \(full\), and --overwrite is false/);
      await kubectl.run(['label', 'configmap', 'one', 'moon=new', '--overwrite']);
      expect((await read(bench)).metadata.labels).toEqual({ moon: 'new' });
      await kubectl.run(['label', 'configmap', 'one', 'moon-']);
      expect((await read(bench)).metadata.labels).toBeUndefined();
    },
  },
  {
    name: 'annotate sets and removes',
    async act(bench) {
      const { kubectl } = bench;
      await create(bench);
      // Between 1.20 and 1.29 it said `annotate`.
      expect(await kubectl.run(['annotate', 'configmap', 'one', 'a=1', 'b=2'])).toMatch(
        /^configmap\/one annotated?\n$/,
      );
      await kubectl.run(['annotate', 'configmap', 'one', 'a-']);
      expect((await read(bench)).metadata.annotations).toEqual({ b: '2' });
    },
  },
  {
    name: 'patch --type=json follows its operations',
    async act(bench) {
      await create(bench);
      const patch = JSON.stringify([
        { op: 'test', path: '/data/tide', value: 'low' },
        { op: 'replace', path: '/data/tide', value: 'high' },
        { op: 'add', path: '/data/moon', value: 'full' },
      ]);
      const args = ['patch', 'configmap', 'one', '--type=json', '--patch', patch];
      expect(await bench.kubectl.run(args)).toBe('configmap/one patched\n');
      expect((await read(bench)).data).toEqual({ tide: 'high', moon: 'full' });
      const again = await bench.kubectl.attempt(args);
      expect(again.code).toBe(1);
      expect((await read(bench)).data).toEqual({ tide: 'high', moon: 'full' });
    },
  },
  {
    name: 'patch --type=merge merges, and null removes',
    async act(bench) {
      await create(bench);
      const patch = '{"data":{"tide":null,"moon":"full"}}';
      const args = ['patch', 'configmap', 'one', '--type=merge', '--patch', patch];
      expect(await bench.kubectl.run(args)).toBe('configmap/one patched\n');
      expect((await read(bench)).data).toEqual({ moon: 'full' });
      expect(await bench.kubectl.run(args)).toBe('configmap/one patched (no change)\n');
    },
  },
  {
    name: 'patch --type=strategic merges containers by name',
    async act(bench) {
      await createDeployment(bench);
      const containers = [{ name: 'b', image: 'example.com/b:2' }];
      const patch = JSON.stringify({ spec: { template: { spec: { containers } } } });
      await bench.kubectl.run(['patch', 'deployment', 'web', '--type=strategic', '--patch', patch]);
      expect(imagesOf(await readDeployment(bench)).toSorted()).toEqual([
        'example.com/a:1',
        'example.com/b:2',
      ]);
    },
  },
  {
    name: 'patch --subresource=status reaches the status alone',
    async act(bench) {
      const { kubectl } = bench;
      await createDeployment(bench);
      const patch = '{"spec":{"replicas":9},"status":{"replicas":4}}';
      const args = ['patch', 'deployment', 'web', '--type=merge', '--subresource=status', '--patch', patch];
      await kubectl.run(args);
      const { spec, status } = await kubectl.json<Deployment & { status: unknown }>([
        'get',
        'deployment',
        'web',
      ]);
      expect(spec.replicas).toBe(1);
      expect(status).toMatchObject({ replicas: 4 });
    },
  },
  {
    name: 'replace --validate=false puts the object that it is given',
    async act(bench) {
      await create(bench);
      const stdin = configMap({ moon: 'full' });
      const args = ['replace', '--validate=false', '-f', '-'];
      expect(await bench.kubectl.run(args, { stdin })).toBe('configmap/one replaced\n');
      expect((await read(bench)).data).toEqual({ moon: 'full' });
    },
  },
  {
    name: 'replace --validate=false of an outdated object is refused as a conflict',
    async act(bench) {
      await create(bench);
      const { resourceVersion } = (await read(bench)).metadata;
      await bench.kubectl.run(['label', 'configmap', 'one', 'moon=full']);
      const stdin = configMap({ moon: 'new' }, { resourceVersion });
      const { code, error } = await bench.kubectl.attempt(['replace', '--validate=false', '-f', '-'], {
        stdin,
      });
      expect(code).toBe(1);
      expect(error).toMatch(/\(Conflict\).*the object has been modified; please apply your changes/);
      expect((await read(bench)).data).toEqual({ tide: 'low' });
    },
  },
  {
    name: 'replace --force --validate=false deletes and creates again',
    async act(bench) {
      await create(bench);
      const before = await read(bench);
      const args = ['replace', '--force', '--validate=false', '-f', '-'];
      await bench.kubectl.run(args, { stdin: configMap({ tide: 'high' }) });
      const after = await read(bench);
      expect(after.data).toEqual({ tide: 'high' });
      expect(after.metadata.uid).not.toBe(before.metadata.uid);
    },
  },
  {
    name: 'edit opens the object in an editor and stores what it leaves',
    async act(bench) {
      await create(bench);
      const editor = join(bench.server.home, 'editor');
      writeFileSync(editor, '#!/bin/sh\nsed -i "s/tide: low/tide: high/" "$1"\n');
      chmodSync(editor, 0o755);
      const args = ['edit', 'configmap', 'one', '--validate=false'];
      const out = await bench.kubectl.run(args, { env: { EDITOR: editor, KUBE_EDITOR: editor } });
      expect(out).toBe('configmap/one edited\n');
      expect((await read(bench)).data).toEqual({ tide: 'high' });
    },
  },
  {
    name: 'edit without a change changes nothing',
    slow: true,
    async act(bench) {
      await create(bench);
      const before = await read(bench);
      const env = { EDITOR: 'true', KUBE_EDITOR: 'true' };
      const { out, error } = await bench.kubectl.attempt(['edit', 'configmap', 'one', '--validate=false'], {
        env,
      });
      expect(out + error).toMatch(/Edit cancelled, no changes made/);
      expect(await read(bench)).toEqual(before);
    },
  },
  {
    name: 'set image, set env and rollout restart change the pod template',
    async act(bench) {
      const { kubectl } = bench;
      await createDeployment(bench);
      await kubectl.run(['set', 'image', 'deployment/web', 'a=example.com/a:2']);
      await kubectl.run(['set', 'env', 'deployment/web', '--containers=b', 'MOON=full']);
      await kubectl.run(['rollout', 'restart', 'deployment/web']);
      const { template } = (await readDeployment(bench)).spec;
      expect(template.spec.containers).toMatchObject([
        { name: 'a', image: 'example.com/a:2' },
        { name: 'b', env: [{ name: 'MOON', value: 'full' }] },
      ]);
      expect(Object.keys(template.metadata.annotations ?? {})).toEqual(['kubectl.kubernetes.io/restartedAt']);
    },
  },
  {
    name: 'rollout pause and resume turn the switch',
    slow: true,
    async act(bench) {
      await createDeployment(bench);
      await bench.kubectl.run(['rollout', 'pause', 'deployment/web']);
      expect((await readDeployment(bench)).spec.paused).toBe(true);
      await bench.kubectl.run(['rollout', 'resume', 'deployment/web']);
      expect((await readDeployment(bench)).spec.paused).toBeUndefined();
    },
  },
  {
    name: 'scale changes the replicas of a deployment, if they are as expected',
    async act(bench) {
      const { kubectl } = bench;
      await createDeployment(bench);
      await kubectl.run(['scale', 'deployment', 'web', '--replicas=3']);
      expect((await readDeployment(bench)).spec.replicas).toBe(3);
      const refused = await kubectl.attempt([
        'scale',
        'deployment/web',
        '--current-replicas=1',
        '--replicas=5',
      ]);
      expect(refused.code).toBe(1);
      expect((await readDeployment(bench)).spec.replicas).toBe(3);
    },
  },
  {
    name: 'cordon and taint change a node',
    slow: true,
    async act({ kubectl, api, namespace }) {
      const name = `node-${namespace}`;
      await api.create('/api/v1/nodes', { metadata: { name } });
      await kubectl.run(['cordon', name]);
      await kubectl.run(['taint', 'node', name, 'tide=low:NoSchedule']);
      const node = await kubectl.json<{ spec: { taints: { key: string }[] } }>(['get', 'node', name]);
      expect(node.spec).toMatchObject({ unschedulable: true });
      expect(node.spec.taints.map(({ key }) => key)).toContain('tide');
    },
  },
  {
    name: '--dry-run=server answers as if, and stores nothing',
    async act(bench) {
      const { kubectl } = bench;
      await create(bench);
      const before = await read(bench);
      const stdin = configMap({ tide: 'high' });
      expect(
        await kubectl.run(['apply', '--validate=false', '--dry-run=server', '-f', '-'], { stdin }),
      ).toContain('configmap/one configured (server dry run)\n');
      const labelled = ['label', 'configmap', 'one', 'moon=full', '--dry-run=server', '--output=json'];
      expect(JSON.parse(await kubectl.run(labelled))).toMatchObject({
        metadata: { labels: { moon: 'full' } },
      });
      expect(await kubectl.run(['delete', 'configmap', 'one', '--dry-run=server'])).toMatch(
        /^configmap "one" deleted.*\(server dry run\)\n$/,
      );
      expect(await read(bench)).toEqual(before);
    },
  },
  {
    name: 'create --dry-run=server answers with the object as it would be',
    async act({ kubectl }) {
      const made = await kubectl.run(['create', 'configmap', 'two', '--dry-run=server', '--output=json']);
      expect(JSON.parse(made)).toMatchObject({
        metadata: { name: 'two', uid: expect.stringMatching(/-/) as string },
      });
      expect((await kubectl.attempt(['get', 'configmap', 'two'])).error).toMatch(/NotFound/);
    },
  },
  {
    name: 'diff shows what an apply would change, and changes nothing',
    async act(bench) {
      const { kubectl } = bench;
      await create(bench);
      const before = await read(bench);
      const stdin = configMap({ tide: 'high' });
      const diff = await kubectl.attempt(['diff', '-f', '-'], { stdin });
      // 1 means that there are differences, if any were printed.
      if (diff.code !== 1 || diff.out === '') throw new KubectlFailed(['diff'], diff);
      expect(diff.out).toMatch(/^-\s+tide: low$/m);
      expect(diff.out).toMatch(/^\+\s+tide: high$/m);
      expect(await read(bench)).toEqual(before);
    },
  },
  {
    name: 'many writers of one object all succeed or get a conflict',
    slow: true,
    async act(bench) {
      await create(bench, {});
      const ended = await Promise.all(
        Array.from({ length: 8 }, (_, at) =>
          bench.kubectl.attempt([
            'patch',
            'configmap',
            'one',
            '--type=merge',
            '-p',
            `{"data":{"k${at}":"v"}}`,
          ]),
        ),
      );
      expect(ended.map(({ code }) => code)).toEqual(Array.from({ length: 8 }, () => 0));
      expect(Object.keys((await read(bench)).data ?? {}).toSorted()).toEqual(
        Array.from({ length: 8 }, (_, at) => `k${at}`),
      );
    },
  },
];

await kubectlTests('write', checks);
