import type { Journal } from '#base/journal.ts';
import type { Random } from '#base/random.ts';
import type { Tasks } from '#base/tasks.ts';
import type { Clock } from '#base/time.ts';
import type { TokenUser } from '#apiserver/authenticate.ts';
import type { AuthorizationMode } from '#apiserver/authorization/access.ts';
import { createApiServer, type ApiServer } from '#apiserver/server.ts';
import type { HistoryLimits } from '#apiserver/store/history.ts';
import { startBuiltinControllers, type ControllerName } from '#builtin/start.ts';
import { printYaml } from '#edge/print-yaml.ts';
import { parseYamlStrict } from '#edge/yaml.ts';
import type { TokenSigner } from '#kube/rbac/token-signer.ts';
import { inProcessCluster } from './in-process.ts';
import { packageVersion } from './package-version.ts';

export type EmbeddedDeps = {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly random: Random;
  readonly tasks: Tasks;
  readonly tokens: readonly TokenUser[];
  /** `allow` unless said otherwise. */
  readonly authorization?: AuthorizationMode;
  readonly tokenSigner?: TokenSigner;
  readonly rootCa: string;
  readonly kubeControllers: ReadonlySet<ControllerName>;
  readonly history?: HistoryLimits;
  readonly report: (error: unknown) => void;
};

export type Embedded = {
  readonly server: ApiServer;
  /** True from the moment on which `/readyz` says ok. */
  readonly isReady: () => boolean;
  readonly ready: Promise<void>;
  readonly close: () => Promise<void>;
};

/** The embedded control plane without a listener: the API server and the controllers that belong to it. */
export async function startEmbedded(deps: EmbeddedDeps): Promise<Embedded> {
  let ready = false;
  const server = await createApiServer({
    ...deps,
    yaml: { parse: parseOne, print: printYaml },
    authorization: deps.authorization ?? 'allow',
    version: { minor: 32, patch: 4, build: packageVersion() },
    checks: { 'caches-synced': () => ready },
  });
  const controllers = startBuiltinControllers({
    cluster: inProcessCluster(server),
    clock: deps.clock,
    random: deps.random,
    tasks: deps.tasks,
    rootCa: deps.rootCa,
    names: deps.kubeControllers,
  });
  const synced = becomeReady(server, controllers.synced, () => {
    ready = true;
  });
  const close = async (): Promise<void> => {
    await controllers.close();
    server.close();
  };
  return { server, isReady: () => ready, ready: synced, close };
}

async function becomeReady(server: ApiServer, controllers: Promise<void>, done: () => void): Promise<void> {
  await Promise.all([server.settled(), controllers]);
  done();
}

function parseOne(text: string): {
  value: ReturnType<typeof parseYamlStrict>['documents'][number];
  duplicates: readonly string[];
} {
  const { documents, duplicates } = parseYamlStrict(text);
  return { value: documents[0] ?? null, duplicates };
}
