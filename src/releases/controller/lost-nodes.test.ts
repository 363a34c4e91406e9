import { expect, test } from 'vitest';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Outcome } from '#edge/kube/outcome.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { onLostNodes } from './lost-nodes.ts';

const podOn = (nodeName: string, name: string): KubeObject => ({ metadata: { name }, spec: { nodeName } });
const nodeThatIs = (status: string): Outcome => ({
  type: 'ok',
  object: { status: { conditions: [{ type: 'Ready', status }] } },
});
const missing: Outcome = { type: 'not-found', code: 404, message: 'no', status: {} };
const forbidden: Outcome = { type: 'forbidden', code: 403, message: 'no', status: {} };
const answers: Readonly<Record<string, Outcome>> = {
  well: nodeThatIs('True'),
  silent: nodeThatIs('Unknown'),
  hidden: forbidden,
};

async function askedAbout(...pods: readonly KubeObject[]) {
  const asked: string[] = [];
  const get: KubeClient['get'] = (_resource, { name }) => {
    asked.push(name);
    return Promise.resolve(answers[name] ?? missing);
  };
  return { found: await onLostNodes({ get }, pods, new AbortController().signal), asked };
}

test('pods whose nodes are gone or do not respond, and each node is read once', async () => {
  const { found, asked } = await askedAbout(
    podOn('well', 'a'),
    podOn('silent', 'b'),
    podOn('gone', 'c'),
    podOn('silent', 'd'),
  );
  expect(found.type === 'read' && found.pods.map(nameOf)).toEqual(['b', 'd', 'c']);
  expect(asked).toEqual(['well', 'silent', 'gone']);
});

test('nothing is known of a node that must not be read', async () => {
  const { found } = await askedAbout(podOn('silent', 'a'), podOn('hidden', 'b'));
  expect(found).toEqual({ type: 'refused', message: 'node hidden cannot be read: no' });
});
