import { formatAge } from '#base/age.ts';
import { listAt, numberAt, textAt } from '#base/json.ts';
import { seconds } from '#base/time.ts';
import type { KubeObject } from '#kube/object.ts';
import { textCell, textOr } from './cells.ts';
import { ageColumn, nameColumn, textColumn, type Column } from './column.ts';

export const certificateSigningRequestColumns: readonly Column[] = [
  nameColumn,
  ageColumn,
  textColumn('SignerName', 'Name of the requested signer.', textOr('<none>', 'spec', 'signerName')),
  textColumn('Requestor', 'User who created the request.', textCell('spec', 'username')),
  textColumn('RequestedDuration', 'How long the certificate should be valid.', durationText),
  textColumn('Condition', 'What became of the request.', conditionText),
];

function durationText(request: KubeObject): string {
  const span = numberAt(request, 'spec', 'expirationSeconds');
  return span === undefined ? '<none>' : formatAge(seconds(span));
}

/** A denial outweighs an approval. */
function conditionText(request: KubeObject): string {
  const types = new Set(listAt(request, 'status', 'conditions').map((each) => textAt(each, 'type')));
  const verdict = ['Denied', 'Approved'].find((type) => types.has(type)) ?? 'Pending';
  const failed = types.has('Failed') ? ',Failed' : '';
  return `${verdict}${failed}${textAt(request, 'status', 'certificate') ? ',Issued' : ''}`;
}
