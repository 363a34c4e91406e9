/** Where a figure is measured: on a server that is empty, has many pods or has just begun, or in this process. */
export type Stage = 'empty' | 'pods' | 'fresh' | 'process';

export type Figure = {
  readonly id: string;
  readonly title: string;
  readonly unit: 's' | 'MB' | '/s' | 'ms' | 'us';
  /** `below`: less than the target reaches it; `from`: the target or more does. */
  readonly aim: 'below' | 'from';
  readonly target: number;
  /** kube-apiserver 1.32 with etcd 3.5 on two cores, as measured once; undefined: not measured. */
  readonly real: number | undefined;
  readonly stage: Stage;
};

/** What the server promises, in the order of the table. */
export const figures = [
  start('start-empty', 'start to /readyz ok, empty', 0.7, 5),
  start('start-pods', 'start to /readyz ok, 10,000 pods', 2, undefined),
  memory('rss-idle', 'RSS, idle', 140, 300),
  memory('rss-pods', 'RSS, 10,000 pods', 400, 1560),
  rate('create-1', 'creates of 1 KiB ConfigMaps, 1 client', 400, 326),
  rate('create-16', 'creates of 1 KiB ConfigMaps, 16 clients', 2000, 868),
  rate('create-64', 'creates of 1 KiB ConfigMaps, 64 clients', 3000, 1080),
  rate('get-64', 'GET, 64 clients', 6000, 2448),
  rate('patch-16', 'merge patch, 16 clients', 1500, 770),
  rate('apply-create-16', 'server-side apply that creates, 16 clients', 1000, 674),
  rate('apply-change-16', 'server-side apply that changes, 16 clients', 1000, undefined),
  delay('watch-1', 'write to watch delivery, 1 watcher, p99', 6, 5.7),
  delay('watch-100', 'write to watch delivery, 100 watchers, p99', 10, 9.9),
  list('list-json', 'list of 10,000 pods, JSON', 300, 680),
  list('list-table', 'list of 10,000 pods, Table', 300, 373),
  list('list-label', 'list of 10,000 pods, 1 % by label', 15, 15),
  { ...start('deletecollection', 'deletecollection of 10,000 pods', 4, 49.6), stage: 'pods' },
  block('crd-block', 'longest pause while a 570 KB CRD is created', 100),
  call('crd-validate', 'prune, default, validate against it, 3 containers', 50),
  call('decode-pod', 'decode a protobuf Pod, 3 containers', 60),
] as const satisfies readonly Figure[];

export type FigureId = (typeof figures)[number]['id'];

export function isReached({ aim, target }: Figure, value: number): boolean {
  return aim === 'below' ? value < target : value >= target;
}

type Row<Id extends string> = Figure & { readonly id: Id };

function start<Id extends string>(id: Id, title: string, target: number, real: number | undefined): Row<Id> {
  return { id, title, unit: 's', aim: 'below', target, real, stage: stageOf(id) };
}

function memory<Id extends string>(id: Id, title: string, target: number, real: number): Row<Id> {
  return { id, title, unit: 'MB', aim: 'below', target, real, stage: stageOf(id) };
}

function rate<Id extends string>(id: Id, title: string, target: number, real: number | undefined): Row<Id> {
  return { id, title, unit: '/s', aim: 'from', target, real, stage: 'empty' };
}

function delay<Id extends string>(id: Id, title: string, target: number, real: number): Row<Id> {
  return { id, title, unit: 'ms', aim: 'below', target, real, stage: 'empty' };
}

function list<Id extends string>(id: Id, title: string, target: number, real: number): Row<Id> {
  return { id, title, unit: 'ms', aim: 'below', target, real, stage: 'pods' };
}

function block<Id extends string>(id: Id, title: string, target: number): Row<Id> {
  return { id, title, unit: 'ms', aim: 'below', target, real: undefined, stage: 'fresh' };
}

function call<Id extends string>(id: Id, title: string, target: number): Row<Id> {
  return { id, title, unit: 'us', aim: 'below', target, real: undefined, stage: 'process' };
}

function stageOf(id: string): Stage {
  return id.endsWith('-pods') ? 'pods' : 'empty';
}
