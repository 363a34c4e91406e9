/** The types of one API group version: facts in the line language of parse-lines.ts. */
export type TypePackage = {
  /** Prefix of the full names of its types, as OpenAPI spells them: `io.k8s.api.core.v1`. */
  readonly name: string;
  /** How other packages' lines refer to it: `core.PodSpec`. */
  readonly alias: string;
  /** Undefined for packages that hold no kinds. */
  readonly group: string | undefined;
  /** The last part of the Go package's name, which error messages quote: `v1.PodSpec`. */
  readonly version: string;
  readonly lines: string;
};
