import type { Command } from 'commander';
import { clusterOptions } from '#command/cluster-options.ts';
import type { End } from '#command/given.ts';
import type { AccessFlags } from './access.ts';
import type { DoctorFlags } from './doctor.ts';
import { controllerGroups } from './install/control-names.ts';
import type { InstallFlags } from './install.ts';
import type { UninstallFlags } from './uninstall.ts';

const namespaces = [
  '--namespaces <list>',
  'the only namespaces that the controllers use, with commas: Roles there instead of ClusterRoles',
] as const;

/** `boathook install`. */
export function addInstall(program: Command, end: End): void {
  program
    .command('install')
    .description('print everything that a cluster needs to run Boathook, for kubectl apply -f -')
    .option('--print', 'print the objects; boathook changes nothing by itself', false)
    .option('-n, --namespace <name>', 'namespace of the controllers', 'boathook-system')
    .option('--image <name>', 'image of Boathook (default: boathook with the tag of this version)')
    .option(
      '--controllers <list>',
      'controllers to run: all, or names with commas',
      controllerGroups.base.join(','),
    )
    .option('--dashboard', 'also run the dashboard', false)
    .option(
      '--with <list>',
      'components to add: impersonation (providers kubernetes, job and machine), secrets (Secrets of all namespaces), servicemonitor, dashboard-proxy',
    )
    .option(...namespaces)
    .option('--shards <number>', 'divide all objects into this many shards, which the controllers share')
    .addHelpText('after', installHelp)
    .action(async (options: InstallFlags) => {
      const { install } = await import('./install.ts');
      end(install(options));
    });
}

const installHelp = `
Examples:
  boathook install --print | kubectl apply -f -
  boathook install --print --controllers all --dashboard --with impersonation --image registry.example.com/boathook:0.1.0
  boathook install --print --namespaces team-a,team-b

Exit codes: 0 printed, 2 bad input.`;

/** `boathook uninstall`. */
export function addUninstall(program: Command, end: End): void {
  clusterOptions(
    program
      .command('uninstall')
      .description('print what Boathook has in a cluster, and how to remove it without stopping pods'),
  )
    .option(
      '--print',
      'print the objects of the installation, for kubectl delete -f -; no kind is among them',
      false,
    )
    .option(
      '--release',
      'remove the finalizers of Boathook from all objects; the controllers must be gone',
      false,
    )
    .option('-n, --namespace <name>', 'namespace of the controllers', 'boathook-system')
    .option(...namespaces)
    .option(
      '--service-monitor',
      'with --print: also the ServiceMonitor, where the cluster has that kind',
      false,
    )
    .option('-o, --output <format>', 'json: print JSON instead of sentences')
    .addHelpText('after', uninstallHelp)
    .action(async (options: UninstallFlags) => {
      const { uninstall } = await import('./uninstall.ts');
      end(await uninstall(options));
    });
}

const uninstallHelp = `
Without --print and --release nothing is changed: what is found is printed, with the commands in their order.

Examples:
  boathook uninstall
  boathook uninstall --print | kubectl delete --ignore-not-found -f -
  boathook uninstall --release

Exit codes: 0 done, 1 refused by the cluster, 2 bad input, 3 the controllers still run, 5 unreachable or login refused.`;

/** `boathook access`. */
export function addAccess(program: Command, end: End): void {
  program
    .command('access')
    .description('print the ServiceAccount and the RBAC objects of the controllers, for kubectl apply -f -')
    .option(
      '--controllers <list>',
      'controllers to include: all, or names with commas; none: only what --with names',
      'all',
    )
    .option('--lease-namespace <name>', 'namespace of the controllers and of their Lease', 'boathook-system')
    .option('--service-account <name>', 'name of their ServiceAccount', 'boathook-controller')
    .option(
      '--with <list>',
      'rights to add: impersonation (providers kubernetes, job and machine), secrets (Secrets of all namespaces)',
    )
    .option(...namespaces)
    .option('--secrets-in <list>', 'print only the Roles that let them read the Secrets of these namespaces')
    .addHelpText('after', accessHelp)
    .action(async (options: AccessFlags) => {
      const { access } = await import('./access.ts');
      end(access(options));
    });
}

const accessHelp = `
Examples:
  boathook access | kubectl apply -f -
  boathook access --controllers hookrun,gamedeployment --namespaces team-a
  boathook access --secrets-in team-a,team-b | kubectl apply -f -

Exit codes: 0 printed, 2 bad input.`;

/** `boathook doctor`. */
export function addDoctor(program: Command, end: End): void {
  clusterOptions(
    program
      .command('doctor')
      .description('check a cluster before and after the installation, and print what to do'),
  )
    .option('-n, --namespace <name>', 'namespace of the controllers', 'boathook-system')
    .option('-o, --output <format>', 'json: print JSON instead of sentences')
    .addHelpText('after', doctorHelp)
    .action(async (options: DoctorFlags) => {
      const { doctor } = await import('./doctor.ts');
      end(await doctor(options));
    });
}

const doctorHelp = `
Checks the version of the cluster, the clocks, the kinds and their versions, the rights and the pods of the controllers,
their leader, whether the services of hooks can be reached from here, and other controllers of the same kinds. Before the installation it checks whether you
may install. Nothing is changed.

Examples:
  boathook doctor
  boathook doctor -o json

Exit codes: 0 nothing failed (warnings may be printed), 1 a check failed, 2 bad input, 5 unreachable or login refused.`;
