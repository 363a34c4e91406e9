import type { Effort } from './effort.ts';
import type { FigureId } from './figures.ts';
import type { Target } from './target.ts';

/** One server, one folder, and the figures wanted of it. */
export type StageRun = {
  readonly target: Target;
  readonly folder: string;
  readonly effort: Effort;
  readonly wanted: ReadonlySet<FigureId>;
};
