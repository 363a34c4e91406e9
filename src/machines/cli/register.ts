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
  join: 'let machines join the cluster, with their hooks',
  delete: 'remove machines from the cluster, with their hooks',
  upgrade: 'upgrade the cluster, or only the machines named, with their hooks',
  bootstrap: 'deploy between the three hooks of an installer, which run here',
};

/** `boathook cluster …`: scripts on the machines of a cluster at every point of its lifecycle. */
export function addCluster(program: Command, end: End): void {
  const cluster = program
    .command('cluster')
    .description('run hooks on the machines of a cluster while it is made, changed and removed');
  for (const verb of Object.keys(verbs).filter(isVerb)) {
    const command = cluster.command(verb).description(about[verb]);
    if (verb === 'join' || verb === 'delete' || verb === 'upgrade')
      command.argument('[nodes...]', 'names or addresses');
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
  addLooks(cluster, end);
  addObjects(cluster, end);
}

function addVerbFlags(command: Command, verb: Verb): void {
  common(planFlags(command)).option('--dry-run', 'print the plan and do nothing', false);
  runFlags(command);
  command.option('--yes', 'do not ask before a removal, a downgrade or a takeover', false);
  if (verb === 'deploy' || verb === 'bootstrap' || verb === 'join')
    command.option('--adopt', 'take a cluster over that these machines carry under another name', false);
  if (verb === 'deploy' || verb === 'cleanup')
    command
      .option('--cluster-prehook <path[,role]>', 'script or folder, once on one master, before', repeated)
      .option('--cluster-posthook <path[,role]>', 'script or folder, once on one master, after', repeated);
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
    .option('--prehook <path,role>', 'script or folder, on every node with the role, before', repeated)
    .option('--posthook <path,role>', 'script or folder, on every node with the role, after', repeated);

const fileText = 'a TKEStack object or an eggo file; may be given again';

const common = (command: Command): Command => kept(addFilename(command, fileText, { isRequired: true }));

/** Commands on files, or on an object of a server by name. */
const ofEither = (command: Command): Command =>
  clusterOptions(
    kept(
      addFilename(
        command.argument('[name]', 'a Cluster or Machine on an API server, instead of FILE'),
        fileText,
        { isRequired: false },
      ),
    ),
  );

const kept = (command: Command): Command =>
  command
    .option('--data-dir <path>', 'where journals, logs and kubeconfigs are kept', '.boathook')
    .option('-o, --output <format>', 'json: events, plans and states as JSON');

const planFlags = (command: Command): Command =>
  command
    .option('--installer <name>', 'what lies between the hooks: kubeadm, commands or none', 'kubeadm')
    .option('--commands-dir <path>', 'scripts of --installer commands (default: commands/ beside FILE)')
    .option('--parallel <number>', 'machines at a time', '20')
    .option('--timeout <duration>', 'limit for hooks whose format has no field for it, such as 5m')
    .option(
      '--retries <number>',
      'how often to try again what TKEStack and bootstrap try again (default: 10)',
    )
    .option('--ssh-agent', 'let the SSH agent log in', false)
    .option(
      '--rollback [boolean]',
      "take back what a failed creation or join made itself, as eggo does; 'false' keeps it",
      true,
    )
    .option('--force', 'removal goes on past failing hooks and without unreachable machines', false)
    .option('--strict', 'warnings are errors; failures that were ignored end in exit code 4', false);

const runFlags = (command: Command): Command =>
  command
    .option(
      '--insecure-ignore-host-key',
      'trust whoever answers at an address: no protection against impostors',
      false,
    )
    .option('--known-hosts <path>', 'instead of ~/.ssh/known_hosts and /etc/ssh/ssh_known_hosts')
    .option('--connect-timeout <duration>', 'for each login', '20s')
    .option('--state-dir <path>', 'where jobs and leases live on the machines', '/var/lib/boathook')
    .option('--purge', 'after cleanup and delete: also remove what is kept on the machines', false)
    .option('--lease-touch <duration>', 'how often a lease on a machine is renewed', '10s')
    .option('--lease-stale <duration>', 'when a lease that nobody renews may be taken over', '30s');

function addPlan(cluster: Command, end: End): void {
  const names = Object.keys(verbs);
  const command = cluster
    .command('plan')
    .description('print what a verb would do')
    .argument('[verb]', names.join(', '), 'deploy')
    .argument('[nodes...]', 'for join, delete and upgrade');
  nodeHookFlags(common(planFlags(command)))
    .option('--cluster-prehook <path[,role]>', 'for deploy and cleanup', repeated)
    .option('--cluster-posthook <path[,role]>', 'for deploy and cleanup', repeated)
    .option('--hooks-dir <path>', 'for bootstrap')
    .action(async (verb: string, nodes: readonly string[], options: Given) => {
      if (!isVerb(verb)) throw new ExitError(2, `"${verb}" is no verb. Valid are: ${names.join(', ')}`);
      const { runVerb } = await import('./files/run-verb.ts');
      end(await runVerb(verb, { ...options, dryRun: true }, nodes));
    });
}

function addAgain(cluster: Command, end: End): void {
  const texts = {
    resume: 'go on with the last operation from where it stands',
    retry: 'try again what failed in the last operation, now',
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

function addLooks(cluster: Command, end: End): void {
  ofEither(cluster.command('status').description('how the last operation stands')).action(
    async (name: string | undefined, options: Given) => {
      if (name !== undefined) {
        const { showObject } = await import('./objects/commands.ts');
        return end(await showObject(name, options));
      }
      const { showStatus } = await import('./files/status.ts');
      end(showStatus({ ...neutral, ...options }));
    },
  );
  ofEither(cluster.command('logs').description('what the scripts of the last operation printed'))
    .option('--node <name>', 'of this machine only')
    .option('--step <text>', 'of steps whose name contains this')
    .action(async (name: string | undefined, options: Given) => {
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
