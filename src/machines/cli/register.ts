import type { Command } from 'commander';
import { addObjects } from './objects/register.ts';
import { clusterOptions } from '#command/cluster-options.ts';
import { addFilename } from '#command/filename-option.ts';
import { ExitError } from '#command/exit.ts';
import { isVerb, verbs, type Verb } from './files/verbs.ts';
import { repeated, type End, type Given } from '#command/given.ts';

const about: Readonly<Record<Verb, string>> = {
  deploy: 'create a cluster on the machines of FILE, with its hooks',
  cleanup: 'remove the cluster from its machines, with its hooks',
  join: 'join machines to the cluster, with their hooks',
  delete: 'remove machines from the cluster, with their hooks',
  upgrade: 'upgrade the cluster, or only the given machines, with their hooks',
  bootstrap: 'deploy, with three installer hooks that run on this computer',
};

/** `boathook cluster …`: scripts on the machines of a cluster at every point of its lifecycle. */
export function addCluster(program: Command, end: End): void {
  const cluster = program
    .command('cluster')
    .description('create, change and remove clusters on machines over SSH, with hooks');
  for (const verb of Object.keys(verbs).filter(isVerb)) {
    const command = cluster.command(verb).description(about[verb]);
    if (verb === 'join' || verb === 'delete' || verb === 'upgrade')
      command.argument('[nodes...]', 'names or addresses of nodes');
    addVerbFlags(command, verb);
    command.action(async (...given: readonly unknown[]) => {
      const nodes = Array.isArray(given[0]) ? given[0].map(String) : [];
      const options = given.find((each) => !Array.isArray(each)) as Given;
      const { runVerb } = await import('./files/run-verb.ts');
      end(await runVerb(verb, options, nodes));
    });
  }
  addPlan(cluster, end);
  addAgain(cluster, end);
  addQueries(cluster, end);
  addObjects(cluster, end);
}

function addVerbFlags(command: Command, verb: Verb): void {
  common(planFlags(command)).option('--dry-run', 'print the plan and change nothing', false);
  runFlags(command);
  command.option('--yes', 'skip the confirmation of a removal, a downgrade or a takeover', false);
  if (verb === 'deploy' || verb === 'bootstrap' || verb === 'join')
    command.option(
      '--adopt',
      'take over the cluster that these machines belong to under another name',
      false,
    );
  if (verb === 'deploy' || verb === 'cleanup')
    command
      .option(
        '--cluster-prehook <path[,role]>',
        'script or folder that runs before, once, on one master',
        repeated,
      )
      .option(
        '--cluster-posthook <path[,role]>',
        'script or folder that runs after, once, on one master',
        repeated,
      );
  if (verb !== 'upgrade' && verb !== 'bootstrap') nodeHookFlags(command);
  if (verb === 'join')
    command
      .option(
        '-t, --type <roles>',
        'roles of a node that FILE does not list: master, worker or master,worker',
      )
      .option('-n, --name <name>', 'name of a node that FILE does not list')
      .option('-a, --arch <arch>', 'architecture of a node that FILE does not list')
      .option('-p, --port <number>', 'SSH port of a node that FILE does not list');
  if (verb === 'bootstrap')
    command.option(
      '--hooks-dir <path>',
      'folder of pre-install, post-cluster-ready and post-install (default: hooks/ beside FILE)',
    );
}

const nodeHookFlags = (command: Command): Command =>
  command
    .option(
      '--prehook <path,role>',
      'script or folder that runs before, on every node with the role',
      repeated,
    )
    .option(
      '--posthook <path,role>',
      'script or folder that runs after, on every node with the role',
      repeated,
    );

const fileText = 'file with TKEStack objects, or an eggo file; can be repeated';

const common = (command: Command): Command => kept(addFilename(command, fileText, { isRequired: true }));

/** Commands on files, or on an object of a server by name. */
const ofEither = (command: Command): Command =>
  clusterOptions(
    kept(
      addFilename(
        command.argument('[name]', 'name of a Cluster or Machine on an API server, instead of FILE'),
        fileText,
        { isRequired: false },
      ),
    ),
  );

const kept = (command: Command): Command =>
  command
    .option('--data-dir <path>', 'folder of journals, logs and kubeconfigs', '.boathook')
    .option('-o, --output <format>', 'json: print events, plans and states as JSON');

const planFlags = (command: Command): Command =>
  command
    .option(
      '--installer <name>',
      'installer that runs between the hooks: kubeadm, commands or none',
      'kubeadm',
    )
    .option(
      '--commands-dir <path>',
      'folder with the scripts of --installer commands (default: commands/ beside FILE)',
    )
    .option('--parallel <number>', 'maximum number of machines at the same time', '20')
    .option('--timeout <duration>', 'time limit of hooks without one in FILE, such as 5m')
    .option('--retries <number>', 'number of retries of a step, for TKEStack and bootstrap (default: 10)')
    .option('--ssh-agent', 'log in with the SSH agent', false)
    .option(
      '--rollback [boolean]',
      'remove what a failed deploy or join created, as eggo does; false keeps it',
      true,
    )
    .option('--force', 'continue a removal if hooks fail or machines are unreachable', false)
    .option('--strict', 'treat warnings as errors; exit with code 4 if a failure was ignored', false);

const runFlags = (command: Command): Command =>
  command
    .option(
      '--insecure-ignore-host-key',
      'do not verify SSH host keys: any host that answers at an address is trusted',
      false,
    )
    .option('--known-hosts <path>', 'file instead of ~/.ssh/known_hosts and /etc/ssh/ssh_known_hosts')
    .option('--connect-timeout <duration>', 'time limit of one SSH login', '20s')
    .option('--state-dir <path>', 'folder of jobs and leases on the machines', '/var/lib/boathook')
    .option('--purge', 'after cleanup and delete: also remove the files of Boathook on the machines', false)
    .option('--lease-touch <duration>', 'interval in which the lease on a machine is renewed', '10s')
    .option(
      '--lease-stale <duration>',
      'time after which a lease that is not renewed can be taken over',
      '30s',
    );

/** The flags of all verbs that shape a plan, and those of a run that matter on simulated machines. */
export const rehearsedVerbFlags = (command: Command): Command =>
  nodeHookFlags(common(planFlags(command)))
    .option('--cluster-prehook <path[,role]>', 'for deploy and cleanup', repeated)
    .option('--cluster-posthook <path[,role]>', 'for deploy and cleanup', repeated)
    .option('--hooks-dir <path>', 'for bootstrap')
    .option('-t, --type <roles>', 'for join: roles of a node that FILE does not list')
    .option('-n, --name <name>', 'for join: name of a node that FILE does not list')
    .option('-a, --arch <arch>', 'for join: architecture of a node that FILE does not list');

function addPlan(cluster: Command, end: End): void {
  const names = Object.keys(verbs);
  const command = cluster
    .command('plan')
    .description('print the plan of a verb')
    .argument('[verb]', names.join(', '), 'deploy')
    .argument('[nodes...]', 'nodes, for join, delete and upgrade');
  nodeHookFlags(common(planFlags(command)))
    .option('--cluster-prehook <path[,role]>', 'for deploy and cleanup', repeated)
    .option('--cluster-posthook <path[,role]>', 'for deploy and cleanup', repeated)
    .option('--hooks-dir <path>', 'for bootstrap')
    .action(async (verb: string, nodes: readonly string[], options: Given) => {
      if (!isVerb(verb)) throw new ExitError(2, `"${verb}" is not a verb. Valid values: ${names.join(', ')}`);
      const { runVerb } = await import('./files/run-verb.ts');
      end(await runVerb(verb, { ...options, dryRun: true }, nodes));
    });
}

function addAgain(cluster: Command, end: End): void {
  const texts = {
    resume: 'continue the last operation after an interruption',
    retry: 'retry the failed tasks of the last operation now',
  } as const;
  for (const kind of ['resume', 'retry'] as const)
    runFlags((kind === 'retry' ? ofEither : common)(planFlags(cluster.command(kind))))
      .description(texts[kind])
      .action(async (...given: readonly unknown[]) => {
        const [options, command] = given.slice(-2) as [Given, Command];
        if (typeof given[0] === 'string') {
          const { retryObject } = await import('./objects/commands.ts');
          return end(await retryObject(given[0], options));
        }
        const { runAgain } = await import('./files/run-again.ts');
        const explicit = Object.keys(options).filter((name) => command.getOptionValueSource(name) === 'cli');
        end(await runAgain(kind, options, new Set(explicit)));
      });
}

function addQueries(cluster: Command, end: End): void {
  ofEither(cluster.command('status').description('print the state of the last operation')).action(
    async (name: string | undefined, options: Given) => {
      if (name !== undefined) {
        const { showObject } = await import('./objects/commands.ts');
        return end(await showObject(name, options));
      }
      const { showStatus } = await import('./files/status.ts');
      end(showStatus({ ...neutral, ...options }));
    },
  );
  ofEither(cluster.command('logs').description('print the output of the scripts of the last operation'))
    .option('--node <name>', 'only the output of this machine')
    .option('--step <text>', 'only the output of steps whose name contains this text')
    .option('--follow', 'of NAME: print what scripts write until the operation has ended', false)
    .option('--tail <lines>', 'of NAME: only the last lines of each output')
    .option(
      '--controller-namespace <name>',
      'of NAME: namespace of the controllers, which serve the output',
      'boathook-system',
    )
    .option(
      '--log-server <host:port>',
      'of NAME: where to reach the controller, such as a forwarded port (default: as it has published)',
    )
    .action(async (name: string | undefined, options: Given, command: Command) => {
      if (name !== undefined && command.getOptionValueSource('dataDir') !== 'cli') {
        const { servedLogs } = await import('./objects/served-logs.ts');
        return end(await servedLogs(name, options));
      }
      if (options['follow'] === true || options['tail'] !== undefined)
        throw new ExitError(
          2,
          '--follow and --tail are for the NAME of a Cluster or Machine, without --data-dir',
        );
      if (name !== undefined) {
        const { objectLogs } = await import('./objects/commands.ts');
        return end(await objectLogs(name, options));
      }
      const { showLogs } = await import('./files/logs.ts');
      end(showLogs({ ...neutral, ...options }));
    });
}

/** Values of flags that `status` and `logs` do not have. */
const neutral = { installer: 'none', parallel: '1' };
