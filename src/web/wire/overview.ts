export const overviewKinds = ['release', 'hookrun', 'cluster', 'registration'] as const;
export type OverviewKind = (typeof overviewKinds)[number];

/** An object in the overview. */
export type OverviewRow = {
  /** The topic of its page, which is also its identity. */
  readonly key: string;
  readonly kind: OverviewKind;
  /** As Kubernetes calls it: GameDeployment, HookRun … */
  readonly objectKind: string;
  readonly namespace: string;
  readonly name: string;
  /** RFC 3339. */
  readonly created: string;
  readonly phase: string;
  /** One word; empty when nothing holds it. */
  readonly reason: string;
  readonly message: string;
  /** It waits for a user: shown first. */
  readonly needsUser: boolean;
  readonly isFailed: boolean;
  readonly labels: Readonly<Record<string, string>>;
  /** Of a release: `2/5`. */
  readonly step?: string;
  readonly images?: readonly string[];
  readonly pods?: { readonly ready: number; readonly desired: number; readonly updated: number };
};

export type Overview = {
  readonly rows: readonly OverviewRow[];
  /** Kinds that cannot be listed: not installed, or no rights. */
  readonly missing: readonly { readonly kind: OverviewKind; readonly message: string }[];
  /** Rows beyond the limit that the server keeps: how many are not sent. */
  readonly left: number;
  /** On an embedded cluster: the examples that can be loaded. */
  readonly examples: readonly { readonly id: string; readonly title: string; readonly text: string }[];
};
