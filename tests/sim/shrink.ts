export type Shrinking<Plan> = {
  /** Plans with less in them. */
  readonly smaller: (plan: Plan) => Iterable<Plan>;
  readonly fails: (plan: Plan) => Promise<boolean>;
  /** At most so many plans are played. */
  readonly most?: number;
};

/** A smaller plan that still fails. */
export async function shrink<Plan>(
  plan: Plan,
  { smaller, fails, most = 200 }: Shrinking<Plan>,
): Promise<Plan> {
  let best = plan;
  let left = most;
  for (let isSmaller = true; isSmaller && left > 0;) {
    isSmaller = false;
    for (const candidate of smaller(best)) {
      if (left === 0) break;
      left -= 1;
      if (!(await fails(candidate))) continue;
      best = candidate;
      isSmaller = true;
      break;
    }
  }
  return best;
}
