import { textAt, type JsonObject } from '#base/json.ts';

/** Versions in Go's notation, as far as the server can print them: pointers are addresses there. */
export function dumpVersions(versions: readonly JsonObject[]): string {
  return `[]apiextensions.CustomResourceDefinitionVersion{${versions.map(dumpVersion).join(', ')}}`;
}

function dumpVersion(version: JsonObject): string {
  const flag = (name: string): boolean => version[name] === true;
  return (
    `apiextensions.CustomResourceDefinitionVersion{Name:${JSON.stringify(textAt(version, 'name') ?? '')}, ` +
    `Served:${flag('served')}, Storage:${flag('storage')}, Deprecated:${flag('deprecated')}, ` +
    'DeprecationWarning:(*string)(nil), Schema:(*apiextensions.CustomResourceValidation)(nil), ' +
    'Subresources:(*apiextensions.CustomResourceSubresources)(nil), ' +
    'AdditionalPrinterColumns:[]apiextensions.CustomResourceColumnDefinition(nil), ' +
    'SelectableFields:[]apiextensions.SelectableField(nil)}'
  );
}
