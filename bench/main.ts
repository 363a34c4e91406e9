import { isBadUsage } from './apiserver/options.ts';

/** `npm run bench -- <name> [options]`: each benchmark is loaded when it is asked for. */
const benchmarks: Readonly<Record<string, () => Promise<(args: readonly string[]) => Promise<void>>>> = {
  apiserver: async () => (await import('./apiserver/run.ts')).runApiserver,
  nodes: async () => (await import('./nodes/run.ts')).runNodes,
  machines: async () => (await import('./machines/run.ts')).runMachines,
  'machine-objects': async () => (await import('./machine-objects/run.ts')).runMachineObjects,
  hooks: async () => (await import('./hooks/run.ts')).runHooks,
  registrations: async () => (await import('./registrations/run.ts')).runRegistrations,
  workloads: async () => (await import('./workloads/run.ts')).runWorkloads,
  scale: async () => (await import('./scale/run.ts')).runScale,
  cli: async () => (await import('./cli/run.ts')).runCli,
  rehearse: async () => (await import('./rehearse/run.ts')).runRehearse,
  dashboard: async () => (await import('./dashboard/run.ts')).runDashboard,
};

const [name, ...args] = process.argv.slice(2);
const load = name === undefined ? undefined : benchmarks[name];
if (load === undefined) {
  const known = Object.keys(benchmarks).join(', ');
  process.stderr.write(`bench: give the name of a benchmark: npm run bench -- NAME; there is ${known}\n`);
  process.exitCode = 2;
} else {
  try {
    await (
      await load()
    )(args);
  } catch (error) {
    if (!isBadUsage(error)) throw error;
    process.stderr.write(`bench: ${error.message}\n`);
    process.exitCode = 2;
  }
}
