import type { OfferedAct } from '#web/wire/release-page.ts';

/** How a button names an act. */
export const actLabels: Readonly<
  Record<OfferedAct['verb'], { readonly title: string; readonly isDanger: boolean }>
> = {
  promote: { title: 'Promote', isDanger: false },
  resume: { title: 'Resume', isDanger: false },
  retry: { title: 'Retry', isDanger: false },
  pause: { title: 'Pause', isDanger: false },
  abort: { title: 'Abort', isDanger: true },
  undo: { title: 'Undo', isDanger: true },
  'set-image': { title: 'Set image', isDanger: false },
};
