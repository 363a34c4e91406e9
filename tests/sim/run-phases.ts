/** Phases of hook runs and metrics that never change again. */
export const finalPhases: ReadonlySet<string> = new Set(['Successful', 'Failed', 'Error', 'Inconclusive']);
