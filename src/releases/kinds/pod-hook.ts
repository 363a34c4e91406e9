import type { Static } from 'typebox';
import { Type } from '#schema/kind/type.ts';
import { stringEnum } from '#schema/kind/field.ts';
import type { Frozen } from '#schema/kind/kind.ts';
import { HookRef } from './canary.ts';

const common = {
  hook: Type.Optional(HookRef),
  retry: Type.Optional(
    Type.Boolean({
      description: 'Set to true to run failed hooks again. The controller sets it back to false.',
      default: false,
    }),
  ),
  deadlineSeconds: Type.Optional(
    Type.Integer({
      description: 'Seconds that a pod waits for its hook to pass. Default: no limit.',
      minimum: 1,
    }),
  ),
  onDeadline: Type.Optional(
    stringEnum(['Block', 'Proceed'], {
      description:
        'What happens at the deadline. Block: the pod waits on, and the release is Blocked. Proceed: the pod is deleted or updated without its hook.',
      default: 'Block',
    }),
  ),
};

export const PodHook = Type.Object(common, { description: 'A hook that runs for each pod.' });

export const PreDeleteHook = Type.Object(
  {
    ...common,
    enforce: Type.Optional(
      stringEnum(['Controller', 'Always'], {
        description:
          'Controller: the hook runs when this controller deletes a pod. Always: a finalizer makes every deletion wait for the hook, including kubectl delete and drain.',
        default: 'Controller',
      }),
    ),
    coversInplace: Type.Optional(
      Type.Boolean({
        description:
          'Whether the hook also runs before an in-place update when there is no preInplaceUpdateStrategy.',
        default: true,
      }),
    ),
  },
  { description: 'A hook that runs before a pod is deleted.' },
);

export type PodHook = Frozen<Static<typeof PodHook>>;
export type PreDeleteHook = Frozen<Static<typeof PreDeleteHook>>;
