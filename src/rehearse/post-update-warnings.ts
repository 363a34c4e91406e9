import { countText } from '#base/text.ts';
import type { RehearsedHook } from './rehearsal-report.ts';

const badPhases: readonly string[] = ['Failed', 'Error', 'Inconclusive'];

/** Verdicts that no release waits for. `isComplete`: whether the hooks had the time to come to a verdict. */
export function postUpdateWarnings(hooks: readonly RehearsedHook[], isComplete: boolean): readonly string[] {
  const post = hooks.filter(({ point }) => point === 'post-inplace');
  return [...new Set(post.map(({ template }) => template))].flatMap((template) => {
    const phases = post.filter((each) => each.template === template).map(({ phase }) => phase);
    const bad = phases.filter((phase) => badPhases.includes(phase)).length;
    const open = phases.filter((phase) => phase === 'Pending' || phase === 'Running').length;
    return [
      ...(bad === 0 ? [] : [`HookTemplate ${template} failed for ${countText(bad, 'pod')}; ${why}`]),
      ...(open === 0 || !isComplete
        ? []
        : [`HookTemplate ${template} came to no verdict for ${countText(open, 'pod')}; ${why}`]),
    ];
  });
}

const why = 'a post-update hook does not stop the release';
