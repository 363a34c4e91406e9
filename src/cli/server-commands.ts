import type { Command } from 'commander';
import { clusterOptions, whichCluster } from '#command/cluster-options.ts';
import type { End } from '#command/given.ts';
import { collected } from '#command/list-flag.ts';
import { leaseOptions } from '#command/lease-options.ts';
import { logOptions } from '#command/log-options.ts';
import type { DashboardFlags } from './dashboard.ts';

export function addUp(program: Command, end: End): void {
  const command = program
    .command('up')
    .description('start the embedded control plane')
    .option('--data-dir <path>', 'where objects, certificates and the kubeconfig are kept', '.boathook')
    .option('--ephemeral', 'keep objects in memory only', false)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <number>', 'port to listen on; 0 picks a free one', '7443')
    .option('--dashboard-port <number>', 'port of the dashboard (default: 7080; with --port 0 a free one)')
    .option('--no-dashboard', 'do not serve the dashboard')
    .option('--open', 'open the dashboard in the default browser')
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
    .option(...logAddress)
    .option('--nodes <number>', 'simulated nodes; 0 for none', '3')
    .option(
      '--machines <number>',
      'simulated machines with SSH servers on loopback, for Clusters; 0 for none',
      '0',
    )
    .option('--profile <name>', 'behaviour of the simulated nodes: instant, fast or realistic', 'fast')
    .option('--time-scale <factor>', 'how long simulated delays take; 0.1 is ten times as fast', '1')
    .option('--seed <number>', 'seed of the random numbers of the simulated nodes', '1');
  logOptions(command).action(async (options: Record<string, unknown>) => {
    const { up } = await import('./up.ts');
    end(await up(options));
  });
}

/** `boathook dashboard`: the page of any cluster. */
export function addDashboard(program: Command, end: End): void {
  const command = clusterOptions(program.command('dashboard'))
    .description('serve the dashboard of a cluster: releases, hook runs, machines and registrations')
    .option('--port <number>', 'port to listen on; 0 picks a free one', '7080')
    .option('--open', 'open the dashboard in the default browser')
    .option('--host <address>', 'loopback address to listen on; with --in-cluster any (default: all)')
    .option('--in-cluster', 'serve many users behind a Service: each signs in with a Kubernetes token')
    .option(
      '--trust-proxy-headers',
      'with --in-cluster: act as the user in X-Forwarded-User, whom a proxy in the same pod has signed in',
    )
    .option(
      '--controller-namespace <name>',
      'namespace of the controllers, which serve logs (default: boathook-system)',
    );
  logOptions(command).action(async (options: DashboardFlags) => {
    const { dashboard } = await import('./dashboard.ts');
    end(await dashboard(options));
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
const logAddress = [
  '--log-address <host:port>',
  'serve the output of scripts and the last calls of hooks there, over TLS (default: a free port on loopback)',
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

/** `boathook controller`. */
export function addController(program: Command, end: End): void {
  const command = program.command('controller').description("run Boathook's controllers for any API server");
  whichCluster(command)
    .option(
      '--controllers <list>',
      'controllers to run: all, or names with commas; may be repeated (default: all)',
      collected,
    )
    .option(
      '--namespaces <list>',
      'the only namespaces to use, with commas: Roles there are enough (default: all, with ClusterRoles)',
    )
    .option('--identity <name>', 'identity of this process in the leader election (default: a generated one)')
    .option(
      '--lease-namespace <name>',
      'namespace of the Lease; created when it is missing',
      'boathook-system',
    )
    .option('--lease-name <name>', 'name of the Lease for the leader election', 'boathook-controller')
    .option('--no-leader-election', 'run without leader election, when no other controller runs')
    .option(
      '--shards <number>',
      'divide all objects into this many shards, which the processes share; all need the same number',
      '1',
    );
  leaseOptions(command)
    .option(
      '--cluster-domain <name>',
      'DNS domain of the cluster (default: CLUSTER_DOMAIN, /etc/resolv.conf, cluster.local)',
    )
    .option(...filesRoot)
    .option('--data-dir <path>', 'folder of the output of scripts on machines', '.boathook')
    .option(...metricsAddress)
    .option(...logAddress)
    .option(...outgoingAllow)
    .option(...outgoingDeny)
    .option(...minHookInterval);
  logOptions(command).action(async (options: Record<string, unknown>) => {
    const { controller } = await import('./controller.ts');
    end(await controller(options));
  });
}

/** `boathook crds`: what a cluster needs before the controllers start. */
export function addManifests(program: Command, end: End): void {
  program
    .command('crds')
    .description('print the CustomResourceDefinitions of all kinds, for kubectl apply -f -')
    .action(async () => {
      const { crds } = await import('./crds.ts');
      end(crds());
    });
}

export function addNodes(program: Command, end: End): void {
  const command = program.command('nodes').description('simulate scheduler and kubelets for any API server');
  clusterOptions(command)
    .option('--nodes <number>', 'number of nodes', '3')
    .option('--name-prefix <text>', 'prefix of their names', 'sim-node-')
    .option('--profile <name>', 'behaviour of the nodes: instant, fast or realistic', 'fast')
    .option('--time-scale <factor>', 'how long simulated delays take; 0.1 is ten times as fast', '1')
    .option('--seed <number>', 'seed of their random numbers', '1');
  logOptions(command).action(async (options: Record<string, unknown>) => {
    const { nodes } = await import('./nodes.ts');
    end(await nodes(options));
  });
}
