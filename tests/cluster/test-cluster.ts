/** The cluster of the tests, as `npm run test:cluster` describes it to the processes that run stories. */
export type TestCluster = {
  readonly kubeconfig: string;
  /** The name of the run, in labels and in names of namespaces. */
  readonly run: string;
  /** Whether the cluster has controllers of Kubernetes of its own; a bare API server has none. */
  readonly hasControllers: boolean;
};

const variable = 'BOATHOOK_TEST_CLUSTER';

/** Undefined: stories run on the embedded server in their own process. */
export function testCluster(): TestCluster | undefined {
  const text = process.env[variable];
  return text === undefined || text === '' ? undefined : (JSON.parse(text) as TestCluster);
}

export const describedFor = (cluster: TestCluster): NodeJS.ProcessEnv => ({
  [variable]: JSON.stringify(cluster),
});
