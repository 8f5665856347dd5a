import type { UpstreamStrategy } from './wire.ts';

type Chosen = { readonly upstreams: string[]; readonly strategy?: UpstreamStrategy };

/** An absent strategy is the operator's. */
export const withStrategy = <T extends Chosen>(chosen: T, strategy: UpstreamStrategy | undefined) => {
  const { strategy: _, ...rest } = chosen;
  return strategy === undefined ? rest : { ...rest, strategy };
};

/** For requests: a strategy that is hidden because it has no effect is not stored. */
export const withUsedStrategy = <T extends Chosen>(chosen: T) =>
  withStrategy(chosen, chosen.upstreams.length < 2 ? undefined : chosen.strategy);
