import type { Static } from 'typebox';
import { Type } from '#schema/kind/type.ts';
import { stringEnum } from '#schema/kind/field.ts';
import type { Frozen } from '#schema/kind/kind.ts';
import { HookRef } from './canary.ts';

const common = {
  hook: Type.Optional(HookRef),
  retry: Type.Optional(
    Type.Boolean({
      description: 'Set to true, it asks again where the verdict was bad; the controller sets it back.',
      default: false,
    }),
  ),
  deadlineSeconds: Type.Optional(
    Type.Integer({
      description: 'How long a pod waits for a good verdict; for ever unless given.',
      minimum: 1,
    }),
  ),
  onDeadline: Type.Optional(
    stringEnum(['Block', 'Proceed'], {
      description:
        'What happens at the deadline: Block waits on and says so, Proceed goes on without a verdict.',
      default: 'Block',
    }),
  ),
};

export const PodHook = Type.Object(common, { description: 'Asked for each pod.' });

export const PreDeleteHook = Type.Object(
  {
    ...common,
    enforce: Type.Optional(
      stringEnum(['Controller', 'Always'], {
        description:
          'Controller: asked when this controller deletes a pod. Always: a finalizer makes everybody wait for it, kubectl delete and drains as well.',
        default: 'Controller',
      }),
    ),
    coversInplace: Type.Optional(
      Type.Boolean({
        description: 'Whether it is also asked before an update in place that has no hook of its own.',
        default: true,
      }),
    ),
  },
  { description: 'Asked before a pod is deleted.' },
);

export type PodHook = Frozen<Static<typeof PodHook>>;
export type PreDeleteHook = Frozen<Static<typeof PreDeleteHook>>;
