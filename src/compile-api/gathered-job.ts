import type { Gathered } from '../compiler/sources/gather-sources.ts';
import type { Validators } from './compile-job.ts';
import type { Begun } from './wire-events.ts';

export const includeLimits = { maxDepth: 5, maxIncludes: 32 };

/** The texts of an order, downloaded before it is compiled. */
export type GatheredOrder = Begun & {
  readonly texts: Gathered;
  /** Validators of the sources that were read; undefined if one of them has none. */
  readonly validators: Validators | undefined;
};
