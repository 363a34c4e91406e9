import { controlLogs, type ControlLogs } from './control-logs.ts';
import { controlOn } from './start-controllers.ts';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import type { Journal } from '#base/journal.ts';
import type { Metrics } from '#base/metrics.ts';
import { kinds } from './kinds.ts';
import { parseTokenFile, type TokenUser } from '#embedded/server/authorization/authenticate.ts';
import { eventStorage } from '#embedded/server/store/expiry.ts';
import { ensureCertificates, type Certificates } from '#edge/certificates.ts';
import { systemClock } from '#edge/clock.ts';
import { DataDirHeld, DataDirUnwritable, openDataDir, type DataDir } from '#edge/data-dir.ts';
import { limitHeapGrowth } from '#edge/heap-growth.ts';
import { listen, type Listening } from '#edge/http/listen.ts';
import { PortTaken } from '#edge/http/port-taken.ts';
import { ephemeralJournal } from '#edge/journal/ephemeral-journal.ts';
import { hmacSha256Hex } from '#edge/hmac.ts';
import { JournalUnusable } from '#edge/journal/journal-unusable.ts';
import { writeKubeconfig } from '#edge/kubeconfig-file.ts';
import { createOutgoing, type ClosableOutgoing } from '#edge/outgoing/create-outgoing.ts';
import { systemRandom } from '#edge/random.ts';
import { openSqliteJournal } from '#edge/journal/sqlite-journal.ts';
import { systemTasks } from '#edge/tasks.ts';
import { ensureTokenSigner } from '#edge/token-signer.ts';
import { cannotListen } from '#command/cannot-listen.ts';
import { machineIo } from '#machines/cli/objects/machine-io.ts';
import { startEmbedded, type Embedded } from '#embedded/start.ts';
import { ExitError } from '#command/exit.ts';
import { onFreePort } from '#command/free-port.ts';
import { dialKubelets } from '#embedded/kubelet-logs.ts';
import { reportTo, unexpectedTo } from '#command/command-log.ts';
import { openFigures } from '#command/metrics-server.ts';
import { thisProcess } from '#embedded/this-process.ts';
import { exampleFiles, MachineFleet, machinesFolder, wantedMachines } from './machines/machine-fleet.ts';
import { upOptions, type UpOptions } from './up-options.ts';
import { checkFolder } from '#command/usable-folder.ts';

/** `boathook up`: starts everything, prints the address, and runs until it is stopped. */
export async function up(given: Readonly<Record<string, unknown>>): Promise<number> {
  const began = performance.now();
  const options = upOptions(given);
  const tokens = readTokens(options.tokenFile);
  const stopped = stopRequested();
  const dataDir = openOrExplain(options);
  try {
    checkFolder('--kubeconfig', dirname(options.kubeconfig));
    let isReady = (): boolean => false;
    const waitsFor = (): string | undefined =>
      isReady() ? undefined : 'the control plane has not looked at everything yet';
    // Before anything starts: a metrics address that cannot be listened on ends the command.
    const report = unexpectedTo(options.log);
    await using figures = await openFigures(options.metrics, { waitsFor, report });
    // Likewise machines that cannot start.
    await using fleet = new MachineFleet(options.dataDir);
    const machines = await wantedMachines(fleet, options.machines);
    const running = await start(options, tokens, figures.metrics).catch(unusable);
    isReady = () => running.embedded.isReady();
    const url = `https://${urlHost(options.host)}:${running.listening.port}`;
    process.stdout.write(`API server at ${url}\n`);
    process.stdout.write(`export KUBECONFIG=${shellWord(options.kubeconfig)}\n`);
    if (figures.url !== undefined) process.stdout.write(`metrics at ${figures.url}/metrics\n`);
    await Promise.race([running.embedded.ready, stopped]);
    limitHeapGrowth(30);
    if (running.embedded.isReady())
      process.stdout.write(`ready in ${((performance.now() - began) / 1000).toFixed(2)} s\n`);
    if (machines !== undefined) process.stdout.write(machines);
    // Last, so that the server is not kept waiting by the page.
    const page = await openPage(options, running, { url, fleet });
    await stopped;
    await page?.close();
    await running.logs.close();
    await running.listening.close();
    await running.embedded.close();
    await running.outgoing.close();
    return 0;
  } finally {
    dataDir.close();
  }
}

/** Serves the dashboard, unless it is not wanted or its port cannot be used. */
async function openPage(
  { dashboardPort, opensBrowser, log }: UpOptions,
  { embedded: { server }, logs }: Running,
  { url, fleet }: { readonly url: string; readonly fleet: MachineFleet },
): Promise<{ close(): Promise<void> } | undefined> {
  if (dashboardPort === undefined) return undefined;
  const { openUpDashboard } = await import('./up-dashboard.ts');
  const cluster = { serve: server.serve, logs: logs.serve, server: url };
  return openUpDashboard({ cluster, port: dashboardPort, opensBrowser, log, fleet });
}

type Running = {
  readonly embedded: Embedded;
  readonly listening: Listening;
  readonly outgoing: ClosableOutgoing;
  readonly logs: ControlLogs;
};

async function start(
  options: UpOptions,
  tokens: readonly TokenUser[],
  metrics: Metrics | undefined,
): Promise<Running> {
  const certificates = await ensureCertificates(options.dataDir, {
    now: systemClock.now(),
    extraHosts: [options.host],
  });
  const journal = openJournal(options);
  const outgoing = createOutgoing({ policy: options.outgoing, clock: systemClock });
  const logs = logsOf(options);
  const embedded = await startEmbedded({
    journal,
    clock: systemClock,
    random: systemRandom,
    tasks: systemTasks,
    tokens,
    authorization: options.authorization,
    eventTtl: options.eventTtl,
    tokenSigner: ensureTokenSigner(options.dataDir),
    rootCa: certificates.ca,
    kubeControllers: options.kubeControllers,
    nodes: options.nodes,
    owner: thisProcess(),
    dialKubelets: dialKubelets(certificates.admin, systemClock),
    kinds,
    control: controlOf(options, { outgoing, logs, metrics }),
    report: unexpectedTo(options.log),
    log: reportTo(options.log),
  });
  try {
    return { embedded, outgoing, logs, listening: await open(options, embedded, certificates) };
  } catch (error) {
    await logs.close();
    await embedded.close();
    throw explained(options, error);
  }
}

type ControlParts = {
  readonly outgoing: ClosableOutgoing;
  readonly logs: ControlLogs;
  readonly metrics: Metrics | undefined;
};

/** Boathook's own controllers. */
const controlOf = (
  options: UpOptions,
  { outgoing, logs, metrics }: ControlParts,
): ReturnType<typeof controlOn> =>
  controlOn({
    names: options.controllers,
    outgoing,
    machines: machineIo({
      ...options,
      outputs: logs.outputs,
      ownFiles: exampleFiles(machinesFolder(options.dataDir)),
    }),
    calls: logs.calls,
    logs,
    minHookInterval: options.minHookInterval,
    hmac: hmacSha256Hex,
    metrics,
  });

const logsOf = ({ dataDir, logs: at, controllers: names, log }: UpOptions): ControlLogs =>
  controlLogs({
    dataDir,
    at,
    names,
    namespace: 'boathook-system',
    holder: `${hostname()} ${process.pid}`,
    clock: systemClock,
    inform: (message, fields) => log.debug(message, fields),
    report: unexpectedTo(log),
  });

async function open(options: UpOptions, embedded: Embedded, certificates: Certificates): Promise<Listening> {
  const tls = { ca: certificates.ca, server: certificates.server };
  const { serve } = embedded.server;
  const report = unexpectedTo(options.log);
  const openAt = (port: number): Promise<Listening> => {
    const server = `https://${urlHost(options.host)}:${port}`;
    writeOrExplain(options.kubeconfig, { server, ca: certificates.ca, client: certificates.admin });
    return listen({ serve, host: options.host, port, tls, report, authenticates: true });
  };
  return options.port === 0 ? onFreePort(options.host, openAt) : openAt(options.port);
}

/** Explains an address that cannot be listened on. */
function explained(options: UpOptions, error: unknown): unknown {
  if (error instanceof PortTaken) return new ExitError(2, portTaken(options));
  return cannotListen(`--host ${options.host} --port ${options.port}`, error) ?? error;
}

/** The kubeconfig is written before the port opens, so that a client that finds the port open can use it. */
function writeOrExplain(path: string, access: Parameters<typeof writeKubeconfig>[1]): void {
  try {
    writeKubeconfig(path, access);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ExitError(2, `the kubeconfig cannot be written to ${path}: ${why}`);
  }
}

const portTaken = ({ host, port }: UpOptions): string =>
  `port ${port} on ${host} is taken: stop what listens there, or choose another with --port (0 picks a free one)`;

function openJournal(options: UpOptions): Journal {
  if (options.ephemeral) return ephemeralJournal(eventStorage);
  return openSqliteJournal(join(options.dataDir, 'objects.db'), {
    onUpgrade: ({ copy, leftovers }) =>
      options.log.info('journal upgraded to format 2', { copy, 'old records removed': leftovers }),
  });
}

/** Damage is found while the journal is opened or read. */
function unusable(error: unknown): never {
  throw error instanceof JournalUnusable ? new ExitError(2, error.message) : error;
}

function openOrExplain(options: UpOptions): DataDir {
  try {
    return openDataDir(options.dataDir);
  } catch (error) {
    if (error instanceof DataDirHeld) throw new ExitError(3, error.message);
    if (error instanceof DataDirUnwritable) throw new ExitError(2, error.message);
    throw error;
  }
}

function readTokens(path: string | undefined): readonly TokenUser[] {
  if (path === undefined) return [];
  try {
    return parseTokenFile(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new ExitError(
      2,
      `--token-file ${path} cannot be used: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

const urlHost = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** A path, quoted for a shell. */
const shellWord = (path: string): string =>
  /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;

function stopRequested(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
}
