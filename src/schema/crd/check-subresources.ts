import { objectAt, textAt, type Json } from '#base/json.ts';
import { required, type FieldError } from '#kube/field-error.ts';
import { invalidAt } from './crd-error.ts';

/** The paths of a scale subresource. */
export function checkSubresources(subresources: Json | undefined, path: string): readonly FieldError[] {
  const scale = objectAt(subresources, 'scale');
  if (scale === undefined) return [];
  return scalePaths.flatMap(({ name, under, where, optional }) => {
    const field = `${path}.scale.${name}`;
    const at = textAt(scale, name) ?? '';
    if (at === '') return optional ? [] : [required(field)];
    const complaints = checkSimplePath(at, field);
    if (complaints.length > 0 || under.some((each) => at.startsWith(`${each}.`))) return complaints;
    return [invalidAt(field, at, `should be a json path under ${where}`)];
  });
}

type ScalePath = {
  readonly name: string;
  readonly under: readonly string[];
  readonly where: string;
  readonly optional: boolean;
};

const scalePaths: readonly ScalePath[] = [
  { name: 'specReplicasPath', under: ['.spec'], where: '.spec', optional: false },
  { name: 'statusReplicasPath', under: ['.status'], where: '.status', optional: false },
  {
    name: 'labelSelectorPath',
    under: ['.spec', '.status'],
    where: 'either .spec or .status',
    optional: true,
  },
];

export function checkSimplePath(path: string, field: string): readonly FieldError[] {
  return path.startsWith('.') ? [] : [invalidAt(field, path, 'must be a simple json path starting with .')];
}
