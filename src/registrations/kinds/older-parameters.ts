import type { Static } from 'typebox';
import { Type } from '#schema/kind/type.ts';
import type { Frozen } from '#schema/kind/kind.ts';
import {
  BuiltInFunction,
  envName,
  MountSources,
  mountPath,
  optional,
  PathPair,
  specPath,
  volumeName,
} from './parameter-parts.ts';

/** Spelling of April 2023. */
export const Customize = Type.Object({
  path: specPath('The element of the instance.'),
  render: Type.Object(
    {
      skip: optional(Type.Boolean({ description: 'No variable for it.' })),
      key: optional(envName('The name of its variable.')),
      value: optional(
        Type.String({ description: 'Its value, whatever the instance says.', maxLength: 65_536 }),
      ),
      valueFromSecret: optional(PathPair),
      valueFromConfigMap: optional(PathPair),
      valueFromBuiltInFunc: optional(BuiltInFunction),
    },
    { description: 'How it becomes a variable.' },
  ),
});

/** Spelling of May 2023: fromSpec was a list, with everything about an element in one item. */
const SpecRule = Type.Object({
  path: specPath('The element of the instance.'),
  skip: optional(Type.Boolean({ description: 'No variable for it.' })),
  toEnv: optional(
    Type.Object(
      {
        name: optional(envName('The name of its variable.')),
        defaultValue: optional(
          Type.String({ description: 'Its value when the instance gives none.', maxLength: 65_536 }),
        ),
        valueFromSecret: optional(PathPair),
        valueFromConfigMap: optional(PathPair),
        valueFromBuiltInFunc: optional(BuiltInFunction),
      },
      { description: 'How it becomes a variable.' },
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
      { description: 'How it becomes mounted files.' },
    ),
  ),
});

export type SpecRuleFields = Frozen<Static<typeof SpecRule>>;

export const SpecRules = Type.Object({
  fromSpec: Type.Array(SpecRule, { description: 'Elements of the instance.', maxItems: 500 }),
});
