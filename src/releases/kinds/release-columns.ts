import type { PrinterColumn } from '#schema/kind/kind.ts';

/** The columns after those of the original operators. */
export const releaseColumns: readonly PrinterColumn[] = [
  { name: 'PHASE', type: 'string', jsonPath: '.status.phase', description: 'Phase of the release' },
  { name: 'STEP', type: 'string', jsonPath: '.status.step', description: 'Current step' },
  {
    name: 'REASON',
    type: 'string',
    jsonPath: '.status.reason',
    description: 'Why the release is in its phase, in one word',
  },
  {
    name: 'IMAGES',
    type: 'string',
    jsonPath: '.spec.template.spec.containers[*].image',
    description: 'Images of the template',
    wide: true,
  },
  {
    name: 'MESSAGE',
    type: 'string',
    jsonPath: '.status.message',
    description: 'What the release waits for',
    wide: true,
  },
];
