import type { Bar } from './bars.ts';

/** Counters of the honest client in one window. */
export const measures = {
  cached: 'DNS cached',
  new: 'DNS new',
  dot: 'DoT',
  doh: 'DoH',
  read: 'API reads',
  write: 'API writes',
  signIn: 'sign-in',
  compile: 'compile',
  list: 'list refresh',
} as const;

export type Measure = keyof typeof measures;
export type Count = { readonly tried: number; readonly succeeded: number; readonly slowestMs: number };
export type Window = { readonly counts: Readonly<Record<Measure, Count>>; readonly apiP99Ms: number };

/** Input of the honest client, which runs in its own thread. */
export type ClientData = {
  readonly url: string;
  readonly httpPort: number;
  readonly ports: { readonly dns: number; readonly dot: number; readonly doh: number };
  readonly deviceDomain: string;
  readonly device: string;
  readonly server: string;
  readonly authorization: string;
  readonly email: string;
  readonly password: string;
  readonly origin: string;
  readonly list: string;
  /** Addresses of the honest tenant; all queries over UDP come from the first. */
  readonly sources: readonly string[];
};

export const shareOf = ({ tried, succeeded }: Count): number => (tried === 0 ? 0 : succeeded / tried);

/** An attack that runs until it is stopped. */
export type Attack = {
  readonly stop: () => Promise<void>;
  /** Results of the attacker. */
  readonly report?: () => string;
  /** Bars in addition to the shares of the honest tenant. */
  readonly bars?: () => readonly Bar[];
};
