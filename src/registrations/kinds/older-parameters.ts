import type { Static } from 'typebox';
import { Type } from '#schema/kind/type.ts';
import { optional, optionalBoolean, optionalString } from '#schema/kind/field.ts';
import type { Frozen } from '#schema/kind/kind.ts';
import {
  BuiltInFunction,
  envName,
  MountSources,
  mountPath,
  PathPair,
  specPath,
  volumeName,
} from './parameter-parts.ts';

/** Spelling of April 2023. */
export const Customize = Type.Object({
  path: specPath('Path of the element in the instance.'),
  render: Type.Object(
    {
      skip: optionalBoolean('Whether the element gets no variable.'),
      key: optional(envName('Name of the variable.')),
      value: optionalString('Value, instead of that in the instance.', { maxLength: 65_536 }),
      valueFromSecret: optional(PathPair),
      valueFromConfigMap: optional(PathPair),
      valueFromBuiltInFunc: optional(BuiltInFunction),
    },
    { description: 'How the element becomes a variable.' },
  ),
});

/** Spelling of May 2023: fromSpec was a list, with everything about an element in one item. */
const SpecRule = Type.Object({
  path: specPath('Path of the element in the instance.'),
  skip: optionalBoolean('Whether the element gets no variable.'),
  toEnv: optional(
    Type.Object(
      {
        name: optional(envName('Name of the variable.')),
        defaultValue: optionalString('Value when the instance has none.', { maxLength: 65_536 }),
        valueFromSecret: optional(PathPair),
        valueFromConfigMap: optional(PathPair),
        valueFromBuiltInFunc: optional(BuiltInFunction),
      },
      { description: 'How the element becomes a variable.' },
    ),
  ),
  toVolume: optional(
    Type.Object(
      {
        name: volumeName,
        mountPath,
        valueFromConfigMap: MountSources.configMapPath,
        valueFromSecret: MountSources.secretPath,
      },
      { description: 'How the element becomes mounted files.' },
    ),
  ),
});

export type SpecRuleFields = Frozen<Static<typeof SpecRule>>;

export const SpecRules = Type.Object({
  fromSpec: Type.Array(SpecRule, { description: 'Rules for elements of the instance.', maxItems: 500 }),
});
