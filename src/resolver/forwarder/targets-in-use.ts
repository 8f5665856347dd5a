import type { Libc } from '../../platform/libc.ts';
import { clientCookies } from '../upstream/client-cookies.ts';
import type { Random } from '../upstream/random.ts';
import { createExpiryQueue, type ExpiryQueue } from './expiry-queue.ts';
import { openSocketPool, type SocketPool } from './socket-pool.ts';
import { type ForwardTarget, type ForwardTargets, MAX_TARGETS } from './target.ts';
import type { QueryStyle } from './write-query.ts';

export const MAX_SOCKETS = 1024;

/** A target with its sockets. */
export type OpenTarget = {
  target: ForwardTarget;
  readonly slot: number;
  /** Undefined if queries go over connections of the resolver thread. */
  readonly pool: SocketPool | undefined;
  readonly style: QueryStyle;
  readonly queue: ExpiryQueue;
};

export type TargetsInUseDeps = {
  readonly libc: Libc;
  readonly random: Random;
  /** Registers a new socket; the tag is `slot * MAX_SOCKETS + index`. */
  readonly watch: (fd: number, tag: number) => boolean;
  readonly generationOf: (exchange: number) => number;
  /** Called before the sockets of an unused target are closed. */
  readonly release: (open: OpenTarget) => void;
};

/** The targets that the resolver thread has published. Targets that stay keep their sockets. */
export function createTargetsInUse({ libc, random, watch, generationOf, release }: TargetsInUseDeps) {
  const slots: (OpenTarget | undefined)[] = [];
  let inUse: readonly OpenTarget[] = [];
  let totalWeight = 0;

  const open = (target: ForwardTarget, slot: number, size: number): OpenTarget => {
    const { via } = target;
    const opened = (fd: number, index: number): boolean => watch(fd, slot * MAX_SOCKETS + index);
    return {
      target,
      slot,
      pool: via.kind === 'udp' ? openSocketPool(libc, { ...via, size, random, opened }) : undefined,
      style: {
        random: via.kind === 'udp' && via.mixesCase ? random : undefined,
        cookies: via.kind === 'udp' && via.sendsCookies ? clientCookies(random) : undefined,
        isPadded: via.kind === 'relay' && via.isPadded,
        authenticData: via.kind === 'relay' && via.isTrusted,
      },
      queue: createExpiryQueue(generationOf),
    };
  };
  const isSame = (one: ForwardTarget, other: ForwardTarget): boolean =>
    one.number === other.number && JSON.stringify(one.via) === JSON.stringify(other.via);

  return {
    slots,
    use({ targets, sockets }: ForwardTargets): void {
      for (const [slot, one] of slots.entries())
        if (one && !targets.some((target) => isSame(target, one.target))) {
          release(one);
          one.pool?.close();
          slots[slot] = undefined;
        }
      inUse = targets.slice(0, MAX_TARGETS).map((target) => {
        const before = slots.find((one) => one && isSame(one.target, target));
        if (before) {
          before.target = target;
          return before;
        }
        const vacant = slots.indexOf(undefined);
        const slot = vacant === -1 ? slots.length : vacant;
        const opened = open(target, slot, Math.min(sockets, MAX_SOCKETS));
        slots[slot] = opened;
        return opened;
      });
      totalWeight = inUse.reduce((sum, { target }) => sum + target.weight, 0);
    },
    all: (): readonly OpenTarget[] => inUse,
    /** A random target, chosen by weight; undefined without targets. */
    choose(): OpenTarget | undefined {
      if (inUse.length < 2) return inUse[0];
      let left = random.fraction() * totalWeight;
      for (const one of inUse) {
        left -= one.target.weight;
        if (left < 0) return one;
      }
      return inUse.at(-1);
    },
  };
}
