const steps = [
  [1, 3600],
  [10, 3600],
  [50, 7200],
  [80, 7200],
] as const;

/** A release with six hours of pauses, and its hook. */
export function canaryManifest(pods: number): string {
  const canary = steps.flatMap(([share, duration]) => [
    { partition: Math.floor((pods * (100 - share)) / 100) },
    { pause: { duration } },
    { hook: { templateName: 'smoke' } },
  ]);
  const workload = {
    apiVersion: 'tkex.tencent.com/v1alpha1',
    kind: 'GameDeployment',
    metadata: { name: 'shop', namespace: 'default' },
    spec: {
      replicas: pods,
      selector: { matchLabels: { app: 'shop' } },
      template: {
        metadata: { labels: { app: 'shop' } },
        spec: { containers: [{ name: 'shop', image: 'shop:1' }] },
      },
      updateStrategy: { type: 'InplaceUpdate', maxUnavailable: '10%', canary: { steps: canary } },
    },
  };
  const hook = {
    apiVersion: 'tkex.tencent.com/v1alpha1',
    kind: 'HookTemplate',
    metadata: { name: 'smoke', namespace: 'default' },
    spec: {
      metrics: [
        {
          name: 'errors',
          count: 3,
          interval: '60s',
          successCondition: 'asInt(result) < 30',
          provider: { web: { url: 'http://127.0.0.1:9/errors', jsonPath: '{$.errors}' } },
        },
      ],
    },
  };
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [workload, hook] });
}

const login = { port: 22, username: 'root', password: 'MTIzNDU2' };

/** A cluster with one master, workers, and hooks of an upgrade beside the file. */
export function clusterManifest(machines: number): string {
  const cluster = {
    apiVersion: 'platform.tkestack.io/v1',
    kind: 'Cluster',
    metadata: { name: 'harbour' },
    spec: {
      displayName: 'harbour',
      type: 'Baremetal',
      version: '1.34.2',
      clusterCIDR: '10.244.0.0/16',
      machines: [{ ip: '192.0.2.1', ...login }],
      features: {
        upgrade: { mode: 'Auto' },
        files: [{ src: 'hooks', dst: '/opt/hooks' }],
        hooks: { PreUpgrade: '/opt/hooks/pre', PostUpgrade: '/opt/hooks/post' },
      },
    },
  };
  const workers = Array.from({ length: machines - 1 }, (_, at) => ({
    apiVersion: 'platform.tkestack.io/v1',
    kind: 'Machine',
    metadata: { name: `m${at + 2}` },
    spec: { clusterName: 'harbour', type: 'Baremetal', ip: `192.0.2.${at + 2}`, ...login },
  }));
  return [cluster, ...workers].map((each) => JSON.stringify(each)).join('\n---\n');
}
