import { Type } from '#schema/kind/type.ts';
import { listByKey } from '#schema/kind/field.ts';
import { defineKind, type ObjectOf } from '#schema/kind/kind.ts';
import { conditionList } from '#schema/kind/condition.ts';
import { Arg, commonFields, TemplateMetric } from './metric.ts';

export const hookTemplate = defineKind({
  group: 'tkex.tencent.com',
  version: 'v1alpha1',
  kind: 'HookTemplate',
  plural: 'hooktemplates',
  shortNames: [],
  categories: ['boathook'],
  scope: 'Namespaced',
  description:
    'How to ask the outside world a question. Runs are made from it; editing it later does not change them.',
  schema: Type.Object({
    spec: Type.Object(
      {
        args: Type.Optional(
          listByKey(Arg, ['name'], {
            description: 'What runs are given; filled in as {{ args.NAME }}.',
            maxItems: 100,
          }),
        ),
        metrics: listByKey(TemplateMetric, ['name'], {
          description: 'The questions; all must be answered well.',
          minItems: 1,
          maxItems: 50,
        }),
        ...commonFields,
      },
      { description: 'What is asked.' },
    ),
    status: Type.Optional(
      Type.Object(
        {
          observedGeneration: Type.Optional(
            Type.Integer({ description: 'The generation that was checked.', format: 'int64' }),
          ),
          conditions: conditionList(
            'Valid: whether conditions, paths and placeholders can work, and what is wrong if not.',
          ),
        },
        { description: 'What the check of its conditions, paths and placeholders found.' },
      ),
    ),
  }),
  columns: [
    {
      name: 'Valid',
      type: 'string',
      jsonPath: ".status.conditions[?(@.type=='Valid')].status",
      description: 'Whether runs made from it can work',
    },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    {
      name: 'Message',
      type: 'string',
      jsonPath: ".status.conditions[?(@.type=='Valid')].message",
      description: 'What is wrong with it',
      wide: true,
    },
  ],
  hasStatus: true,
});

export type HookTemplate = ObjectOf<typeof hookTemplate>;
