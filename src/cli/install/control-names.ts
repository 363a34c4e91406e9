/** Boathook's own controllers, by their names in `--controllers`. */
export const controlNames = [
  'hookrun',
  'hooktemplate',
  'gamedeployment',
  'gamestatefulset',
  'crdregistration',
  'cluster',
  'machine',
] as const;
export type ControlName = (typeof controlNames)[number];

/** The controllers that are installed together, each group with roles of its own. */
export const controllerGroups = {
  base: ['hookrun', 'hooktemplate', 'gamedeployment', 'gamestatefulset'],
  machines: ['cluster', 'machine'],
  registrations: ['crdregistration'],
} as const satisfies Readonly<Record<string, readonly ControlName[]>>;
export type ControllerGroup = keyof typeof controllerGroups;
