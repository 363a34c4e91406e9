import { expect, test } from 'vitest';
import { at, isArray, isObject, listAt, type Json } from '#base/json.ts';
import { hookOpenApi } from './hook-openapi.ts';

const document = hookOpenApi();
const schemaOf = (name: string): Json | undefined => at(document, 'components', 'schemas', name);

test('it says which members there are, and which are needed', () => {
  expect(listAt(schemaOf('ReconcileRequest'), 'required')).toEqual(['object', 'phase', 'capabilities']);
  expect(at(schemaOf('ReconcileRequest'), 'properties', 'phase', 'enum')).toEqual([
    'pre-reconcile',
    'post-reconcile',
    'finalize',
  ]);
  expect(Object.keys(at(schemaOf('ReconcileReply'), 'properties') as object)).toEqual([
    'error',
    'patches',
    'envVars',
    'status',
    'children',
    'object',
    'resyncAfterSeconds',
    'finalized',
  ]);
});

test('it holds nothing that only Kubernetes understands, and every reference leads somewhere', () => {
  const visit = (value: Json): void => {
    if (isArray(value)) value.forEach(visit);
    if (!isObject(value)) return;
    for (const [key, each] of Object.entries(value)) {
      expect(key).not.toMatch(/^x-kubernetes/);
      if (key === '$ref' && typeof each === 'string')
        expect(at(document, ...each.slice(2).split('/'))).toBeDefined();
      visit(each);
    }
  };
  visit(document);
  expect(JSON.stringify(document)).toContain('$ref');
});
