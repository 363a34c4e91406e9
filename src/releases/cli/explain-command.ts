import { asCalled } from '#command/called-as.ts';
import { inCluster } from '#command/in-cluster.ts';
import { outputFormat, printOutput } from '#command/output.ts';
import { terminalWidth } from '#command/terminal-width.ts';
import { explainWorkload } from './explain-workload.ts';
import { explanationLines } from './explanation-lines.ts';
import { givenFlags } from './given-flags.ts';
import { releaseAgent, type ReleaseFlags } from './release-flags.ts';

/** `boathook release explain`: why a release does not progress, what comes next, what a person can do. */
export async function explainCommand(workload: string, flags: ReleaseFlags): Promise<number> {
  const format = outputFormat(flags, ['json', 'yaml']);
  return inCluster(flags, releaseAgent, async (cluster) => {
    const explanation = await explainWorkload(cluster, workload, { flags: givenFlags(flags) });
    printOutput(format, {
      value: () => explanation,
      lines: () => explanationLines(explanation, terminalWidth() ?? Infinity).map((line) => asCalled(line)),
    });
    return 0;
  });
}
