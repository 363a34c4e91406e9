import { expect, test } from 'vitest';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { relatedObjects } from './related-objects.ts';

const object = (kind: string, name: string, spec: KubeObject = {}): KubeObject => ({
  kind,
  metadata: { name },
  spec,
});

const objects = [
  object('CustomResourceDefinition', 'kuards.example.com', { names: { kind: 'Kuard' } }),
  object('CustomResourceDefinition', 'others.example.com', { names: { kind: 'Other' } }),
  object('CRDRegistration', 'kuard', { hook: { service: 'reply-service' } }),
  object('Kuard', 'shop', { colours: 'palette' }),
  object('Other', 'lonely'),
  object('Service', 'reply-service'),
  object('ConfigMap', 'palette', { from: 'far-away' }),
  object('ConfigMap', 'far-away'),
  object('HorizontalPodAutoscaler', 'scaler', { target: 'kuard-shop' }),
  object('Deployment', 'web', { image: 'nginx' }),
  object('Service', 'web', { selector: 'web' }),
];

test('definitions, registrations, instances, and what names them or is named by them', () => {
  const related = relatedObjects(objects, [{ name: 'kuard', crd: 'kuards.example.com' }]);
  expect([...related].map(nameOf).toSorted()).toEqual([
    'far-away',
    'kuard',
    'kuards.example.com',
    'palette',
    'reply-service',
    'scaler',
    'shop',
  ]);
});
