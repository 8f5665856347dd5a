import type { UpstreamStrategy } from '../../domain/upstream-strategy.ts';
import type { ForwardTarget } from '../forwarder/target.ts';
import { hedgeMs } from './health.ts';
import type { Member } from './member.ts';
import { sharesFor } from './strategy.ts';

// Rounded, so that targets are not published again after every answer.
const WAIT_STEP_MS = 50;
const WEIGHT_STEPS = 100;

/** The upstreams to which the next query may be sent first; none if UDP threads cannot use all of them. */
export function forwardTargets(main: readonly Member[], strategy: UpstreamStrategy): readonly ForwardTarget[] {
  const healthy = main.filter((member) => member.health().out === undefined);
  const shares = sharesFor(strategy, healthy);
  const chosen = healthy.flatMap((member, index) => {
    const weight = Math.round((shares?.[index] ?? 0) * WEIGHT_STEPS);
    return weight === 0 ? [] : [{ member, weight, via: member.upstream.forwardVia() }];
  });
  const targets = chosen.flatMap(({ member, weight, via }) =>
    via
      ? [
          {
            via,
            number: member.number,
            weight,
            waitMs: Math.ceil(hedgeMs(member.health()) / WAIT_STEP_MS) * WAIT_STEP_MS,
          },
        ]
      : [],
  );
  return targets.length === chosen.length ? targets : [];
}
