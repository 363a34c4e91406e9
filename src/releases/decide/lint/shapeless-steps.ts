import { isObject, listAt, type Json } from '#base/json.ts';
import { stepPath } from './lint-subject.ts';
import { asError, type ReleaseFinding } from './release-finding.ts';

const fields = ['partition', 'pause', 'hook'];

/** Steps without exactly one field. The schema has this as a rule, which it checks only when all fields are valid. */
export const shapelessSteps = (document: Json): readonly ReleaseFinding[] =>
  listAt(document, 'spec', 'updateStrategy', 'canary', 'steps').flatMap((step, index) => {
    const given = fields.filter((field) => isObject(step) && step[field] !== undefined);
    if (given.length === 1) return [];
    const has = given.length === 0 ? 'none' : given.join(' and ');
    const message = `a step has exactly one of partition, pause and hook, and this one has ${has}`;
    const remedy = given.length === 0 ? 'add one, or remove the step' : 'make each a step of its own';
    return [asError({ rule: 'step-fields', path: stepPath(index), message, remedy })];
  });
