/** The attributes of a request that authorization decides on. */
export type Attributes = ResourceAttributes | PathAttributes;

export type ResourceAttributes = {
  readonly type: 'resource';
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  /** Empty when the object itself is meant. */
  readonly subresource: string;
  /** Empty for requests about many objects, or one that has no name yet. */
  readonly name: string;
  /** Empty: cluster-scoped, or all namespaces. */
  readonly namespace: string;
};

export type PathAttributes = { readonly type: 'path'; readonly verb: string; readonly path: string };

/** The name of a resource in rules, such as `pods/log`. */
export const combinedResource = ({ resource, subresource }: ResourceAttributes): string =>
  subresource === '' ? resource : `${resource}/${subresource}`;
