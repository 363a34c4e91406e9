import { isObject, listAt, textAt } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import type { TuningTexts } from './annotations.ts';

/** The shortest way to script a container: by the tag of its image. Only where somebody switched it on. */
const tags: readonly {
  readonly tag: RegExp;
  readonly key: string;
  readonly text: (match: string) => string;
}[] = [
  { tag: /^crash$/, key: 'crash-after', text: () => '1s' },
  { tag: /^crash-(\d+(?:ms|s|m))$/, key: 'crash-after', text: (span) => span },
  { tag: /^slow-(\d+(?:ms|s|m))$/, key: 'ready-delay', text: (span) => span },
  { tag: /^never-ready$/, key: 'probe', text: () => 'fail' },
  { tag: /^badpull$/, key: 'pull', text: () => 'error' },
];

/** What the tags of a pod's images say, in the words of annotations. */
export function imageTagRules(pod: KubeObject): TuningTexts {
  const found: { [key: string]: string } = {};
  for (const list of ['initContainers', 'containers', 'ephemeralContainers']) {
    for (const container of listAt(pod, 'spec', list).filter(isObject)) {
      const tag = /:([\w.-]+)$/.exec(textAt(container, 'image') ?? '')?.[1] ?? '';
      for (const rule of tags) {
        const match = rule.tag.exec(tag);
        if (match !== null)
          found[`${rule.key}.${textAt(container, 'name') ?? ''}`] = rule.text(match[1] ?? '');
      }
    }
  }
  return found;
}
