import { expect, test } from 'vitest';
import { parallel } from './testing/objects.ts';
import { found, wanted, five, known, preDelete, rolling, run, type, type Row } from './testing/rows.ts';

const hooks: readonly Row[] = [
  {
    name: 'a condemned pod is asked about, by its ordinal',
    spec: { ...preDelete, replicas: 4 },
    pods: five('new'),
    actions: ['mark scale-down web-4', 'ask predelete-new-4-test'],
    reason: 'WaitingForPodHook',
  },
  {
    name: 'while one waits, others are updated',
    spec: {
      ...preDelete,
      replicas: 4,
      ...type('InplaceUpdate'),
      preInplaceUpdateStrategy: { hook: { templateName: 'test' } },
    },
    pods: ['0 old', '1 old', '2 old', '3 old', '4 old leaving=scale-down'],
    status: known,
    more: { runs: [run('pre-delete', 4, 'Failed')] },
    actions: ['annotate web-3', 'ask preinplace-old-3-test'],
    reason: 'PodHookFailed',
  },
  {
    name: 'a good verdict lets it go',
    spec: { ...preDelete, ...rolling({}) },
    pods: five('old'),
    status: known,
    more: { runs: [run('pre-delete', 4, 'Successful')] },
    actions: ['delete web-4'],
  },
  {
    name: 'a good verdict about this pod lets it go',
    spec: { ...preDelete, ...rolling({}) },
    pods: five('old'),
    status: known,
    more: { runs: [run('pre-delete', 4, 'Successful', 'uid-web-4')] },
    actions: ['delete web-4'],
  },
  {
    name: 'a good verdict about the pod that had its place before does not',
    spec: { ...preDelete, ...rolling({}) },
    pods: five('old'),
    status: known,
    more: { runs: [run('pre-delete', 4, 'Successful', 'uid-of-another')] },
    actions: ['mark rolling-update web-4', 'ask predelete-old-4-test', 'forget pre-delete-old-4'],
    reason: 'WaitingForPodHook',
  },
  {
    name: 'a bad verdict about the pod that had its place before holds nothing up',
    spec: { ...preDelete, ...rolling({}) },
    pods: five('old'),
    status: known,
    more: {
      runs: [
        run('pre-delete', 4, 'Successful', 'uid-web-4'),
        run('pre-delete', 4, 'Failed', 'uid-of-another'),
      ],
    },
    actions: ['delete web-4', 'forget pre-delete-old-4'],
  },
  {
    name: 'who was asked about stays chosen',
    spec: { ...preDelete, ...parallel, ...rolling({ maxUnavailable: 1 }) },
    pods: ['0 old', '1 old', '2 old leaving=rolling-update', '3 old', '4 old'],
    status: known,
    more: { runs: [run('pre-delete', 2, 'Running')] },
    actions: [],
    reason: 'WaitingForPodHook',
  },
  {
    name: 'in place without a hook of its own: that of deletions',
    spec: { ...preDelete, ...type('InplaceUpdate') },
    pods: five('old'),
    status: known,
    actions: ['annotate web-4', 'ask predelete-old-4-test'],
    reason: 'WaitingForPodHook',
  },
  {
    name: 'a pod that does not run is not asked about',
    spec: { ...preDelete, replicas: 4 },
    pods: ['0 new', '1 new', '2 new', '3 new', '4 new pending'],
    actions: ['delete web-4'],
  },
  {
    name: 'a missing template is told',
    spec: { preDeleteUpdateStrategy: { hook: { templateName: 'none' } }, replicas: 4 },
    pods: five('new'),
    actions: ['mark scale-down web-4'],
    reason: 'HookTemplateMissing',
  },
  {
    name: 'scaled away and wanted again: it stays',
    spec: preDelete,
    pods: ['0 new', '1 new', '2 new', '3 new', '4 new leaving=scale-down'],
    actions: ['unmark web-4'],
  },
  {
    name: 'the template was set back: it stays',
    spec: preDelete,
    pods: ['0 new', '1 new', '2 new', '3 new', '4 new leaving=rolling-update'],
    actions: ['unmark web-4'],
  },
  {
    name: 'the partition was raised: it stays',
    spec: { ...preDelete, ...rolling({ partition: 5 }) },
    pods: ['0 old', '1 old', '2 old', '3 old', '4 old leaving=rolling-update'],
    status: known,
    actions: ['unmark web-4'],
  },
];

test.for(hooks)('$name', (row) => expect(found(row)).toEqual(wanted(row)));
