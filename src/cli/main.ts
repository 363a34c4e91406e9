import { Command, CommanderError } from 'commander';
import { handleClosedOutput, type WhenUnread } from '#edge/closed-output.ts';
import type { AccessFlags } from './access.ts';
import { addCluster } from '#machines/cli/register.ts';
import { addData } from './data/register.ts';
import { ExitError } from '#command/exit.ts';
import { addHook } from '#hooks/cli/register.ts';
import { collected } from '#command/list-flag.ts';
import { packageVersion } from '#command/package-version.ts';
import { isPrinting } from '#command/printing-commands.ts';
import { addRegistration } from '#registrations/cli/register.ts';
import { addRelease } from '#releases/cli/register.ts';
import type { SimFlags } from './sim.ts';
import { checkDataDir } from '#command/usable-folder.ts';

/** Parses the command line. The code of a command is loaded when the command runs. */
async function main(argv: readonly string[]): Promise<number> {
  const program = new Command('boathook')
    .description(
      'Lifecycle hooks for Kubernetes, with an embedded control plane that real kubectl can talk to',
    )
    .version(packageVersion())
    .showHelpAfterError('(boathook --help shows the commands and their options)')
    .exitOverride();
  let whenUnread: WhenUnread = 'go on';
  handleClosedOutput(() => whenUnread);
  program.hook('preAction', (_program, command) => {
    if (isPrinting(command)) whenUnread = 'end';
    else checkDataDir(command);
  });
  let code = 0;
  const end = (ended: number): void => void (code = ended);
  addUp(program, end);
  addNodes(program, end);
  addRelease(program, end);
  addHook(program, end);
  addRegistration(program, end);
  addSim(program, end);
  addController(program, end);
  addCluster(program, end);
  addData(program, end);
  await program.parseAsync(argv, { from: 'user' });
  return code;
}

function addUp(program: Command, end: (code: number) => void): void {
  program
    .command('up')
    .description('start the embedded control plane')
    .option('--data-dir <path>', 'where objects, certificates and the kubeconfig are kept', '.boathook')
    .option('--ephemeral', 'keep objects in memory only', false)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <number>', 'port to listen on; 0 picks a free one', '7443')
    .option('--kubeconfig <path>', 'where to write the kubeconfig (default: <data-dir>/kubeconfig)')
    .option('--token-file <path>', 'CSV of bearer tokens: token,user,uid[,"group1,group2"]')
    .option(
      '--authorization <mode>',
      'who may do what: rbac (roles and bindings) or allow (everything)',
      'allow',
    )
    .option('--event-ttl <duration>', 'how long events are kept after their last write; 0: for ever', '1h')
    .option('--controllers <list>', "Boathook's own controllers: all, none, or names with commas", 'all')
    .option(
      '--kube-controllers <list>',
      'built-in Kubernetes controllers: all, none, or names with commas',
      'all',
    )
    .option(...outgoingAllow)
    .option(...outgoingDeny)
    .option(...minHookInterval)
    .option(...filesRoot)
    .option(...metricsAddress)
    .option('--nodes <number>', 'simulated nodes; 0 for none', '3')
    .option('--profile <name>', 'behaviour of the simulated nodes: instant, fast or realistic', 'fast')
    .option('--time-scale <factor>', 'how long simulated delays take; 0.1 is ten times as fast', '1')
    .option('--seed <number>', 'seed of the random numbers of the simulated nodes', '1')
    .action(async (options: Record<string, unknown>) => {
      const { up } = await import('./up.ts');
      end(await up(options));
    });
}

const outgoingAllow = [
  '--outgoing-allow <list>',
  'the only hosts that hooks may call: names, addresses and CIDRs with commas; may be repeated',
  collected,
] as const;
const filesRoot = [
  '--files-root <path>',
  'folder of the files that Clusters copy to machines; nothing outside of it is read',
] as const;
const metricsAddress = [
  '--metrics-address <host:port>',
  'serve /metrics, /healthz and /readyz there; a port alone is on loopback',
] as const;
const outgoingDeny = [
  '--outgoing-deny <list>',
  'hosts that hooks may not call; takes precedence over --outgoing-allow',
  collected,
] as const;

const minHookInterval = [
  '--min-hook-interval <duration>',
  'shortest time between two calls of one metric of a HookRun; shorter intervals are raised to it',
  '100ms',
] as const;

function addController(program: Command, end: (code: number) => void): void {
  program
    .command('controller')
    .description("run Boathook's controllers for any API server")
    .option('--kubeconfig <path>', 'which cluster (default: KUBECONFIG, ~/.kube/config, the own pod)')
    .option('--controllers <list>', 'controllers to run: all, or names with commas', 'all')
    .option('--identity <name>', 'identity of this process in the leader election (default: a generated one)')
    .option(
      '--lease-namespace <name>',
      'namespace of the Lease; created when it is missing',
      'boathook-system',
    )
    .option('--lease-name <name>', 'name of the Lease for the leader election', 'boathook-controller')
    .option('--no-leader-election', 'run without leader election, when no other controller runs')
    .option(
      '--cluster-domain <name>',
      'DNS domain of the cluster (default: CLUSTER_DOMAIN, /etc/resolv.conf, cluster.local)',
    )
    .option(...filesRoot)
    .option('--data-dir <path>', 'folder of the output of scripts on machines', '.boathook')
    .option(...metricsAddress)
    .option(...outgoingAllow)
    .option(...outgoingDeny)
    .option(...minHookInterval)
    .action(async (options: Record<string, unknown>) => {
      const { controller } = await import('./controller.ts');
      end(await controller(options));
    });
  program
    .command('access')
    .description('print the ServiceAccount and the RBAC objects of the controllers, for kubectl apply -f -')
    .option('--controllers <list>', 'controllers to include: all, or names with commas', 'all')
    .option('--lease-namespace <name>', 'namespace of the controllers and of their Lease', 'boathook-system')
    .option('--service-account <name>', 'name of their ServiceAccount', 'boathook-controller')
    .action(async (options: AccessFlags) => {
      const { access } = await import('./access.ts');
      end(access(options));
    });
  program
    .command('crds')
    .description('print the CustomResourceDefinitions of all kinds, for kubectl apply -f -')
    .action(async () => {
      const { crds } = await import('./crds.ts');
      end(crds());
    });
}

function addNodes(program: Command, end: (code: number) => void): void {
  program
    .command('nodes')
    .description('simulate scheduler and kubelets for any API server')
    .option('--kubeconfig <path>', 'which cluster (default: KUBECONFIG, else ~/.kube/config)')
    .option('--nodes <number>', 'number of nodes', '3')
    .option('--name-prefix <text>', 'prefix of their names', 'sim-node-')
    .option('--profile <name>', 'behaviour of the nodes: instant, fast or realistic', 'fast')
    .option('--time-scale <factor>', 'how long simulated delays take; 0.1 is ten times as fast', '1')
    .option('--seed <number>', 'seed of their random numbers', '1')
    .action(async (options: Record<string, unknown>) => {
      const { nodes } = await import('./nodes.ts');
      end(await nodes(options));
    });
}

/** `boathook sim`: faults of simulated pods and nodes on request. */
function addSim(program: Command, end: (code: number) => void): void {
  const sim = program.command('sim').description('cause faults of simulated pods and nodes');
  const acts = {
    crash: 'crash now',
    ready: 'let its readiness probe succeed',
    unready: 'let its readiness probe fail',
  } as const;
  for (const act of ['crash', 'ready', 'unready'] as const) {
    ofCluster(sim.command(act).argument('<pod>'), `a pod, or one container of it: ${acts[act]}`)
      .option('-n, --namespace <name>', "the pod's namespace (default: that of the kubeconfig)")
      .option('-c, --container <name>', 'this container only')
      .action(async (name: string, options: SimFlags) => {
        const { simPod } = await import('./sim.ts');
        end(await simPod(act, name, options));
      });
  }
  const node = sim.command('node').description('stop and resume a simulated node');
  for (const act of ['down', 'up'] as const) {
    const what =
      act === 'down'
        ? 'stop the heartbeats and the pods of a node'
        : 'resume the heartbeats and the pods of a node';
    ofCluster(node.command(act).argument('<name>'), what).action(async (name: string, options: SimFlags) => {
      const { simNode } = await import('./sim.ts');
      end(await simNode(act, name, options));
    });
  }
}

const ofCluster = (command: Command, description: string): Command =>
  command
    .description(description)
    .option('--kubeconfig <path>', 'which cluster (default: KUBECONFIG, else ~/.kube/config)')
    .option('-o, --output <format>', 'json: print what was done as JSON');

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.exitCode = exitCodeOf(error);
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof ExitError) {
    process.stderr.write(`boathook: ${error.message}\n`);
    return error.code;
  }
  process.stderr.write(
    `boathook: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  return 1;
}
