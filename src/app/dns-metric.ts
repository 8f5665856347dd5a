export type Sample = { readonly labels?: Readonly<Record<string, string>>; readonly value: number };

export type DnsMetric<Snapshot> = {
  readonly name: string;
  readonly help: string;
  readonly kind: 'counter' | 'gauge';
  readonly labels?: readonly string[];
  readonly read: (snapshot: Snapshot) => readonly Sample[];
};

export const one = (value: number | undefined): readonly Sample[] => (value === undefined ? [] : [{ value }]);
/** Label values contain no spaces, because they are used in expressions. */
export const word = (text: string): string => text.replaceAll(' ', '_');
export const samplesBy = (label: string, counts: Readonly<Record<string, number>> | undefined): readonly Sample[] =>
  Object.entries(counts ?? {}).map(([name, value]) => ({ labels: { [label]: word(name) }, value }));
export const seconds = (ms: number | undefined): number | undefined => (ms === undefined ? undefined : ms / 1000);
