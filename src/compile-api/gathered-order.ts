import type { Gathered } from '../compiler/sources/gather-sources.ts';
import type { Validators } from './order.ts';
import type { Begun } from './wire-events.ts';

export const includeLimits = { maxDepth: 5, maxIncludes: 32 };

/** The texts of an order, downloaded before it is compiled. */
export type GatheredOrder = Begun & {
  readonly texts: Gathered;
  /** What the sources that were read call their versions; undefined when one of them does not say. */
  readonly validators: Validators | undefined;
};
