/** The members of an object, of which the optional ones may be undefined. */
type Undefinable<Whole extends object> = {
  readonly [Key in keyof Whole]: object extends Pick<Whole, Key> ? Whole[Key] | undefined : Whole[Key];
};

/** The object without members that are undefined. */
export const defined = <Whole extends object>(members: Undefinable<Whole>): Whole =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Whole;
