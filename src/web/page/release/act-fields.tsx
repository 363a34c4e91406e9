import type { ReactElement } from 'react';
import type { ReleaseView } from '#releases/decide/view/release-view.ts';
import type { ReleasePage } from '#web/wire/release-page.ts';
import type { ActRequestBody } from '#web/wire/session.ts';

/** What a dialog adds to an act. */
export type ActFields = Pick<ActRequestBody, 'toStep' | 'skipHooks' | 'toRevision' | 'images'>;

type FieldsGiven = {
  readonly fields: ActFields;
  readonly onChange: (fields: ActFields) => void;
};

/** How far to promote, and whether the hooks on the way are skipped. */
export function PromoteFields({
  view,
  fields,
  onChange,
}: FieldsGiven & { readonly view: ReleaseView }): ReactElement | null {
  const current = view.step?.current ?? 0;
  const later = view.steps.filter(({ number }) => number > current + 1);
  if (view.steps.length === 0) return null;
  const value = fields.toStep === undefined ? '' : String(fields.toStep);
  const choose = (text: string): void => {
    const { toStep: _, ...rest } = fields;
    onChange(text === '' ? rest : { ...rest, toStep: text === 'full' ? 'full' : Number(text) });
  };
  return (
    <>
      <label htmlFor="to-step">Promote to</label>
      <select id="to-step" value={value} onChange={(event) => choose(event.target.value)}>
        <option value="">the next step</option>
        {later.map(({ number, title }) => (
          <option key={number} value={number}>
            step {number}: {title}
          </option>
        ))}
        <option value="full">the end: all pods, past all steps</option>
      </select>
      {view.steps.some(({ type }) => type === 'hook') ? (
        <label className="check">
          <input
            type="checkbox"
            checked={fields.skipHooks === true}
            onChange={(event) => onChange({ ...fields, skipHooks: event.target.checked })}
          />
          Skip hooks that have not passed
        </label>
      ) : null}
    </>
  );
}

/** Which revision to return to. */
export function UndoFields({
  page,
  fields,
  onChange,
}: FieldsGiven & { readonly page: ReleasePage }): ReactElement {
  const current = page.view.revisions.find(({ roles }) => roles.includes('update'))?.number;
  const known = new Map(page.history.map((row) => [row.revision, row]));
  const choices = [...known.values()].filter(({ revision }) => revision > 0 && revision !== current);
  return (
    <>
      <label htmlFor="to-revision">Return to</label>
      <select
        id="to-revision"
        value={fields.toRevision ?? ''}
        onChange={({ target }) => onChange(target.value === '' ? {} : { toRevision: Number(target.value) })}
      >
        <option value="">the revision before this one</option>
        {choices.map(({ revision, images }) => (
          <option key={revision} value={revision}>
            revision {revision}: {images.map(({ image }) => image).join(', ')}
          </option>
        ))}
      </select>
    </>
  );
}

/** A new image for each container. */
export function ImageFields({
  view,
  fields,
  onChange,
}: FieldsGiven & { readonly view: ReleaseView }): ReactElement {
  const given = new Map((fields.images ?? []).map((text) => [text.slice(0, text.indexOf('=')), text]));
  const change = (container: string, image: string): void => {
    const next = new Map(given);
    if (image.trim() === '') next.delete(container);
    else next.set(container, `${container}=${image.trim()}`);
    onChange({ images: [...next.values()] });
  };
  return (
    <>
      {view.images.map(({ container, image }) => (
        <div key={container}>
          <label htmlFor={`image-${container}`}>Image of container {container}</label>
          <input
            id={`image-${container}`}
            type="text"
            spellCheck={false}
            autoComplete="off"
            placeholder={image}
            onChange={(event) => change(container, event.target.value)}
          />
        </div>
      ))}
    </>
  );
}
