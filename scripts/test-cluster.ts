/**
 * `npm run test:cluster`: runs the stories and the conformance tests against the cluster of `KUBECONFIG`, or against
 * kube-apiserver and etcd of `KUBEBUILDER_ASSETS`. Arguments choose files, as with Vitest. `--clean` only removes what
 * runs that were killed have left.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeConnections, connectionTo } from '../tests/cluster/cluster-connection.ts';
import { clean } from '../tests/cluster/clean.ts';
import { findCluster } from '../tests/cluster/find-cluster.ts';
import { plainRequests, type SendPlain } from '../tests/cluster/own-objects.ts';
import { hasOwnControllers, makeDefinitions, objection } from '../tests/cluster/prepare.ts';
import { summary } from '../tests/cluster/summary.ts';
import { describedFor } from '../tests/cluster/test-cluster.ts';
import { formatCount, judge } from './count.ts';
import { runTool } from './run-tool.ts';
import { countReport, type Report } from './vitest-report.ts';

const say = (text: string): void => void process.stdout.write(`${text}\n`);

async function main(args: readonly string[]): Promise<number> {
  const found = await findCluster(process.env);
  if (found.type === 'none') {
    say(found.why);
    return 2;
  }
  const send = plainRequests(connectionTo(found.kubeconfig).own.transport);
  try {
    const run = randomBytes(3).toString('hex');
    say(`cluster: ${found.name}; run ${run}`);
    if (args.includes('--clean')) return await cleanAll(send, run);
    const why = await objection(send);
    if (why !== undefined) {
      say(`nothing was run: ${why}`);
      return 2;
    }
    return await runStories({ send, run, kubeconfig: found.kubeconfig, args });
  } finally {
    await closeConnections();
    await found.stop();
  }
}

async function cleanAll(send: SendPlain, run: string): Promise<number> {
  const hasControllers = await hasOwnControllers(send, run);
  const { removed, kept } = await clean(send, { hasControllers });
  for (const each of removed) say(`removed ${each}`);
  for (const each of kept) say(`kept ${each}`);
  say(`${removed.length} removed, ${kept.length} kept`);
  return 0;
}

type Run = {
  readonly send: SendPlain;
  readonly run: string;
  readonly kubeconfig: string;
  readonly args: readonly string[];
};

async function runStories({ send, run, kubeconfig, args }: Run): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'boathook-test-cluster-'));
  const file = join(folder, 'report.json');
  let hasControllers = false;
  // Interrupting ends Vitest too; what the run has made is removed nevertheless.
  const ignore = (): void => undefined;
  process.on('SIGINT', ignore).on('SIGTERM', ignore);
  try {
    hasControllers = await hasOwnControllers(send, run);
    const made = await makeDefinitions(send, run);
    say(
      `controllers of Kubernetes: ${hasControllers ? 'those of the cluster' : 'none, so the tests bring them'}`,
    );
    if (made.length > 0) say(`definitions made for the run: ${made.length}`);
    Object.assign(process.env, describedFor({ kubeconfig, run, hasControllers }));
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
    const config = ['--config', 'vitest.cluster.config.ts'];
    const { code } = await runTool(['vitest', 'run', ...config, ...reporters, ...args]);
    const report = readReport(file);
    if (report !== undefined) for (const line of summary(report, { hasControllers })) say(line);
    const count = judge(report && countReport(report), code);
    say(formatCount(count));
    return count.failed === 0 ? 0 : 1;
  } finally {
    const { removed, kept } = await clean(send, { run, hasControllers });
    if (removed.length > 0) say(`removed at the end: ${removed.length} objects`);
    for (const each of kept) say(`kept ${each}`);
    rmSync(folder, { recursive: true, force: true });
  }
}

function readReport(file: string): Report | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Report;
  } catch (error) {
    say(`Vitest left no readable report: ${String(error)}`);
    return undefined;
  }
}

process.exitCode = await main(process.argv.slice(2));
