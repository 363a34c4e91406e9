import type { Explanation } from '#releases/decide/explain/explanation.ts';
import type { HistoryRow } from '#releases/decide/view/history-row.ts';
import type { ReleaseView } from '#releases/decide/view/release-view.ts';
import type { TemplateFieldChange } from '#releases/decide/view/template-changes.ts';
import type { MetricChart } from './hook-pages.ts';
import type { PageEvent } from './page-event.ts';

/** Whether the user may do something; if not, why. */
export type Permission = { readonly isAllowed: boolean; readonly message: string };

/** An act that the page offers. `plan`: what would happen now, as `boathook release` decides it. */
export type OfferedAct = {
  readonly verb: 'promote' | 'pause' | 'resume' | 'abort' | 'retry' | 'undo' | 'set-image';
  readonly permission: Permission;
  /** Whether it makes sense now. */
  readonly isUseful: boolean;
  /** What it would do, or why not. */
  readonly summary: string;
};

export type ReleasePage = {
  readonly view: ReleaseView;
  readonly explanation: Explanation;
  readonly history: readonly HistoryRow[];
  /** The difference between the stable and the update revision. */
  readonly changes: readonly TemplateFieldChange[];
  /** Charts of the hook runs of this release, by the name of the run. */
  readonly charts: Readonly<Record<string, readonly MetricChart[]>>;
  readonly events: readonly PageEvent[];
  readonly acts: readonly OfferedAct[];
  /** The state that acts are bound to: sent back with each act. */
  readonly identity: string;
};
