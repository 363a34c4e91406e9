const kubeVersion = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/;

type Rank = { readonly stage: number; readonly major: number; readonly minor: number };

/**
 * Orders versions as discovery lists them: GA before beta before alpha, higher numbers first, and
 * names that are not Kubernetes versions last, by their letters. Negative when `left` comes first.
 */
export function compareKubeVersions(left: string, right: string): number {
  const [a, b] = [rankOf(left), rankOf(right)];
  if (a === undefined && b === undefined) return left < right ? -1 : left > right ? 1 : 0;
  if (a === undefined) return 1;
  if (b === undefined) return -1;
  return b.stage - a.stage || b.major - a.major || b.minor - a.minor;
}

const stages: Readonly<Record<string, number>> = { alpha: 0, beta: 1 };

function rankOf(version: string): Rank | undefined {
  const match = kubeVersion.exec(version);
  if (match === null) return undefined;
  const stage = match[2];
  return {
    stage: stage === undefined ? 2 : (stages[stage] ?? 0),
    major: Number(match[1]),
    minor: Number(match[3] ?? 0),
  };
}
