import { ageSince, momentOf } from '#base/age.ts';
import type { Json } from '#base/json.ts';
import type { Instant } from '#base/time.ts';
import { metaOf, nameOf, type KubeObject } from '#kube/object.ts';

/** One column of a Table: its definition, and the cell of one object. */
export type Column = {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  /** 0 is always shown, 1 only by `-o wide`. */
  readonly priority: number;
  readonly cell: Cell;
};

export type Cell = (object: KubeObject, now: Instant) => Json;

/** The texts of two columns that nearly every kind has, as a server prints them. */
export const nameDescription =
  'Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names';
export const ageDescription =
  'CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata';

const typed =
  (type: string, priority: number) =>
  (name: string, description: string, cell: Cell): Column => ({
    name,
    type,
    format: '',
    description,
    priority,
    cell,
  });

export const textColumn = typed('string', 0);
export const integerColumn = typed('integer', 0);
export const booleanColumn = typed('boolean', 0);
/** Shown only by `-o wide`. */
export const wideColumn = typed('string', 1);

export const nameColumn: Column = { ...textColumn('Name', nameDescription, nameOf), format: 'name' };
export const ageColumn: Column = textColumn('Age', ageDescription, (object, now) => creationAge(object, now));

/** A table with name and age around its own columns. */
export const withNameAndAge = (...between: readonly Column[]): readonly Column[] => [
  nameColumn,
  ...between,
  ageColumn,
];

export function creationAge(object: KubeObject, now: Instant): string {
  return ageSince(momentOf(metaOf(object)['creationTimestamp']), now);
}
