import type { JsonObject } from '#base/json.ts';

/** What happens to the template of a workload. */
export type TemplatePlan =
  | {
      readonly type: 'change';
      readonly template: JsonObject;
      /** The change in a few words. */
      readonly summary: string;
      /** The ControllerRevision of the template, where it exists already. */
      readonly revision?: string;
    }
  | { readonly type: 'nothing' | 'refused' | 'invalid'; readonly message: string };
