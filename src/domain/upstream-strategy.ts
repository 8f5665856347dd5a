/** How one of several upstreams is selected. */
export const upstreamStrategies = ['fastest', 'parallel', 'ordered'] as const;
export type UpstreamStrategy = (typeof upstreamStrategies)[number];
