import { expect, test } from 'vitest';
import type { KubeClient } from '#edge/kube/client.ts';
import type { KubeObject } from '#kube/object.ts';
import { pods } from '#loop/owned/resources.ts';
import { KeptEvents } from './kept-events.ts';
import { events } from './watched-kind.ts';

const never = new AbortController().signal;
const about = { namespace: 'shop', fieldSelector: 'involvedObject.name=web' };

/** A client whose lists have the number of the request as the name of their only item. */
function counted() {
  let count = 0;
  let before = (): void => undefined;
  const list: KubeClient['list'] = () => {
    count += 1;
    before();
    return Promise.resolve({ type: 'ok', items: [{ metadata: { name: `${count}` } }], resourceVersion: '1' });
  };
  const kept = new KeptEvents({ list } as KubeClient);
  const names = async (
    resource = events,
    selection = about,
  ): Promise<readonly (KubeObject | undefined)[]> => {
    const listed = await kept.client.list(resource, selection, never);
    return listed.type === 'ok' ? listed.items.map(({ metadata }) => metadata as KubeObject) : [];
  };
  return { kept, names, during: (task: () => void) => (before = task) };
}

test('Events are listed again when one has changed, and not when something else has', async () => {
  const { kept, names } = counted();
  expect([await names(), await names()]).toEqual([[{ name: '1' }], [{ name: '1' }]]);
  kept.changed(pods);
  expect(await names()).toEqual([{ name: '1' }]);
  kept.changed(events);
  expect(await names()).toEqual([{ name: '2' }]);
  kept.changed(undefined);
  expect(await names()).toEqual([{ name: '3' }]);
});

test('other lists, and those about another object, are not from memory', async () => {
  const { names } = counted();
  await names();
  expect(await names(events, { ...about, namespace: 'test' })).toEqual([{ name: '2' }]);
  expect([await names(pods), await names(pods)]).toEqual([[{ name: '3' }], [{ name: '4' }]]);
});

test('a list during which an Event changed is not kept', async () => {
  const { kept, names, during } = counted();
  during(() => kept.changed(events));
  await names();
  during(() => undefined);
  expect(await names()).toEqual([{ name: '2' }]);
  expect(await names()).toEqual([{ name: '2' }]);
});
