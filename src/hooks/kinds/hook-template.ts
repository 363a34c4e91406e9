import { Type } from '#schema/kind/type.ts';
import { listByKey, optionalInteger } from '#schema/kind/field.ts';
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
    'Template for HookRuns: which providers to call, how often, and which results are good. A HookRun has a copy of it, so later changes do not affect existing runs.',
  schema: Type.Object({
    spec: Type.Object(
      {
        args: Type.Optional(
          listByKey(Arg, ['name'], {
            description: 'Arguments of the runs. {{ args.NAME }} is replaced by their value.',
            maxItems: 100,
          }),
        ),
        metrics: listByKey(TemplateMetric, ['name'], {
          description: 'Metrics to execute. The verdict is Successful if all of them succeed.',
          minItems: 1,
          maxItems: 50,
        }),
        ...commonFields,
      },
      { description: 'Metrics, arguments and how to execute them.' },
    ),
    status: Type.Optional(
      Type.Object(
        {
          observedGeneration: optionalInteger('Generation of the template that was checked.', {
            format: 'int64',
          }),
          conditions: conditionList(
            'Valid: whether conditions, paths and placeholders are correct. The message lists the findings.',
          ),
        },
        { description: 'Result of the check of conditions, paths and placeholders.' },
      ),
    ),
  }),
  columns: [
    {
      name: 'Valid',
      type: 'string',
      jsonPath: ".status.conditions[?(@.type=='Valid')].status",
      description: 'Whether the template has no errors',
    },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    {
      name: 'Message',
      type: 'string',
      jsonPath: ".status.conditions[?(@.type=='Valid')].message",
      description: 'Errors and warnings',
      wide: true,
    },
  ],
  hasStatus: true,
});

export type HookTemplate = ObjectOf<typeof hookTemplate>;
