/** The output of a script: `output//CLUSTER/OPERATION/NODE/STEP/ATTEMPT`. */
export type OutputTopic = {
  readonly type: 'output';
  /** The Cluster. */
  readonly name: string;
  readonly operation: string;
  readonly node: string;
  readonly step: string;
  readonly attempt: number;
};

/** The last call of a hook about an instance: `call/NAMESPACE/REGISTRATION/INSTANCE`. */
export type CallTopic = {
  readonly type: 'call';
  /** The CRDRegistration. */
  readonly name: string;
  readonly instanceNamespace: string;
  readonly instance: string;
};

/** Parts are percent-encoded: names of steps have slashes. */
export function detailText(topic: OutputTopic | CallTopic): string {
  switch (topic.type) {
    case 'output': {
      const { name, operation, node, step, attempt } = topic;
      return joined('output', ['', name, operation, node, step, String(attempt)]);
    }
    case 'call': {
      const { name, instanceNamespace, instance } = topic;
      return joined('call', [instanceNamespace, name, instance]);
    }
  }
}

const joined = (type: string, parts: readonly string[]): string =>
  [type, ...parts.map(encodeURIComponent)].join('/');

/** The detail that the parts of a text name, if they name one. */
export function parseDetail(
  type: string | undefined,
  encoded: readonly string[],
): OutputTopic | CallTopic | undefined {
  const parts = encoded.flatMap((part) => decoded(part) ?? []);
  if (parts.length !== encoded.length) return undefined;
  if (type === 'output') return outputTopic(parts);
  return type === 'call' ? callTopic(parts) : undefined;
}

function outputTopic(parts: readonly string[]): OutputTopic | undefined {
  const [empty, name, operation, node, step, attempt = ''] = parts;
  const isWhole = parts.length === 6 && empty === '' && /^\d{1,9}$/.test(attempt);
  if (!isWhole || !name || !operation || !node || !step) return undefined;
  return { type: 'output', name, operation, node, step, attempt: Number(attempt) };
}

function callTopic(parts: readonly string[]): CallTopic | undefined {
  const [instanceNamespace = '', name, instance] = parts;
  if (parts.length !== 3 || !name || !instance) return undefined;
  return { type: 'call', name, instanceNamespace, instance };
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
