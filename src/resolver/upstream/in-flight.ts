import { byteKey } from './byte-key.ts';

/** Limits queries in flight, so that a flood of random names does not block other queries. */
export type InFlight = {
  /** Reserves a slot and returns a function that releases it; undefined if a limit is reached. */
  readonly enter: (name: Uint8Array, type: number) => (() => void) | undefined;
  readonly count: () => number;
  readonly refused: () => number;
};

export type InFlightLimits = {
  readonly total: number;
  /** Per domain: all names with the same last two labels, roughly one registered domain. */
  readonly perDomain: number;
  /** The limit per domain applies from this number of queries in flight on: fewer do not compete. */
  readonly contendedFrom: number;
  /** Per name and type. Equal queries share a slot; queries that differ in flags or client subnet do not. */
  readonly perName: number;
};

export const inFlightLimits: InFlightLimits = { total: 10_000, perDomain: 200, contendedFrom: 300, perName: 10 };

/** Names must be in lower case. */
export function inFlight({ total, perDomain, contendedFrom, perName }: InFlightLimits = inFlightLimits): InFlight {
  const byDomain = new Map<string, number>();
  const byName = new Map<string, number>();
  let count = 0;
  let refused = 0;

  return {
    enter(name, type) {
      const domain = lastTwoLabels(name);
      const question = `${type} ${byteKey(name)}`;
      const isFull =
        count >= total ||
        (count >= contendedFrom && (byDomain.get(domain) ?? 0) >= perDomain) ||
        (byName.get(question) ?? 0) >= perName;
      if (isFull) {
        refused++;
        return undefined;
      }
      change(byDomain, domain, 1);
      change(byName, question, 1);
      count++;
      let isIn = true;
      return () => {
        if (!isIn) return;
        isIn = false;
        change(byDomain, domain, -1);
        change(byName, question, -1);
        count--;
      };
    },
    count: () => count,
    refused: () => refused,
  };
}

function change(counts: Map<string, number>, key: string, by: 1 | -1): void {
  const next = (counts.get(key) ?? 0) + by;
  if (next === 0) counts.delete(key);
  else counts.set(key, next);
}

function lastTwoLabels(name: Uint8Array): string {
  let before = 0;
  let last = 0;
  for (let at = 0; name[at] !== 0 && at < name.length; at += name[at]! + 1) {
    before = last;
    last = at;
  }
  return byteKey(name, before);
}
