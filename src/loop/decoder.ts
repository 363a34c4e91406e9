import type { KubeObject, WithMetadata } from '#kube/object.ts';

/**
 * Decodes objects as an informer receives them. It must keep the metadata. Decoders of one name decode alike, so that
 * informers can be shared.
 */
export type Decoder<Decoded extends WithMetadata> = {
  readonly name: string;
  of(object: KubeObject): Decoded;
};

declare const packed: unique symbol;

/**
 * An object in a compact form: only its metadata can be read before it is unpacked to `Unpacked`.
 *
 * @public
 */
export type Packed<Unpacked> = WithMetadata & { readonly [packed]?: Unpacked };
