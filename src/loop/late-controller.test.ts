import { expect, test } from 'vitest';
import { nameOf, type KubeObject } from '#kube/object.ts';
import type { Controller } from './controller.ts';
import type { Delta } from './delta.ts';
import type { Informer } from './informer.ts';
import { lateController } from './late-controller.ts';

const objectNamed = (name: string): KubeObject => ({ apiVersion: 'v1', kind: 'Tide', metadata: { name } });

/** An informer that shows what the test puts into it. */
function openInformer(): {
  readonly informer: Informer;
  readonly put: (name: string) => void;
  readonly sync: () => void;
} {
  const synced = Promise.withResolvers<void>();
  const listeners = new Set<(delta: Delta) => void>();
  const informer: Informer = {
    resource: { group: '', version: 'v1', plural: 'tides', namespaced: false },
    run: () => Promise.resolve(),
    synced: synced.promise,
    get: () => undefined,
    list: () => [],
    byIndex: () => [],
    addIndexes: () => undefined,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    position: () => '',
    onList: () => () => undefined,
  };
  return {
    informer,
    put: (name) => {
      for (const listener of listeners) listener({ type: 'added', object: objectNamed(name) });
    },
    sync: () => synced.resolve(),
  };
}

function openLoader(): { readonly events: string[]; readonly load: () => Promise<Controller> } {
  const events: string[] = [];
  const controller: Controller = {
    started: Promise.resolve(),
    add: (key) => events.push(`add ${key}`),
    idle: () => Promise.resolve(void events.push('idle')),
    close: () => Promise.resolve(void events.push('close')),
  };
  return {
    events,
    load: () => {
      events.push('load');
      return Promise.resolve(controller);
    },
  };
}

test('without an object nothing is loaded, and the controller counts as idle', async () => {
  const { informer, sync } = openInformer();
  const { events, load } = openLoader();
  const late = lateController([{ informer }], load);
  sync();
  await late.started;
  await late.idle();
  await late.close();
  expect(events).toEqual([]);
});

test('the first object loads the code, once', async () => {
  const { informer, put, sync } = openInformer();
  const { events, load } = openLoader();
  const late = lateController([{ informer }], load);
  put('ebb');
  put('flood');
  sync();
  await late.idle();
  await late.close();
  expect(events).toEqual(['load', 'idle', 'close']);
});

test('an object that needs no controller does not load it', async () => {
  const { informer, put, sync } = openInformer();
  const { events, load } = openLoader();
  const late = lateController([{ informer, needs: ({ object }) => nameOf(object) === 'flood' }], load);
  sync();
  put('ebb');
  await late.idle();
  expect(events).toEqual([]);
  put('flood');
  await late.idle();
  expect(events).toEqual(['load', 'idle']);
});

test('nothing is loaded after the end', async () => {
  const { informer, put, sync } = openInformer();
  const { events, load } = openLoader();
  const late = lateController([{ informer }], load);
  sync();
  await late.close();
  put('ebb');
  expect(events).toEqual([]);
});
