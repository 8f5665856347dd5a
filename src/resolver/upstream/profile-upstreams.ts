import { inFlight } from './in-flight.ts';
import { type OpenUpstreamsDeps, openUpstreams, type Upstreams } from './open-upstreams.ts';
import { failed, type UpstreamAnswer } from './upstream-answer.ts';
import type { UpstreamGroup } from './upstream-group.ts';
import { foldedName, type UpstreamQuestion } from './upstream-query.ts';
import type { UpstreamSettings } from './upstream-settings.ts';

export type ProfileUpstreams = Omit<Upstreams, 'resolve'> & {
  readonly resolve: (question: UpstreamQuestion, group: UpstreamGroup) => Promise<UpstreamAnswer>;
  /** Replaces the upstreams for new queries; the old ones finish their queries in flight. Custom upstreams are reopened. */
  readonly replace: (settings: UpstreamSettings) => void;
};

export type ProfileUpstreamsDeps = OpenUpstreamsDeps & {
  /** Settings for the upstreams of an account; undefined if they are invalid. */
  readonly settingsFor: (group: Omit<UpstreamGroup, 'id'>) => UpstreamSettings | undefined;
};

type Opened = { readonly upstreams: Upstreams; usedAt: number };

const MAX_OPEN = 200;
const IDLE_MS = 600_000;

/** The operator's upstreams and the custom upstreams of accounts, opened on first use. */
export function openProfileUpstreams(settings: UpstreamSettings, deps: ProfileUpstreamsDeps): ProfileUpstreams {
  const limit = deps.inFlight ?? inFlight();
  const openOrdinary = (upstreams: UpstreamSettings): Upstreams =>
    openUpstreams(upstreams, { ...deps, inFlight: limit });
  let ordinary = openOrdinary(settings);
  let { timeoutMs } = settings;
  const opened = new Map<number, Opened>();
  const replaced = new Set<Upstreams>();
  const current = (): Upstreams[] => [ordinary, ...Array.from(opened.values(), ({ upstreams }) => upstreams)];

  const close = (id: number, { upstreams }: Opened): void => {
    opened.delete(id);
    void upstreams.stop();
  };
  const makeRoom = (now: number): void => {
    for (const [id, one] of opened) if (now - one.usedAt > IDLE_MS) close(id, one);
    // Used entries are moved to the end, so that the first one is the least recently used.
    const [first] = opened;
    if (first && opened.size >= MAX_OPEN) close(...first);
  };
  const openFor = (group: UpstreamGroup): Opened | undefined => {
    const custom = deps.settingsFor(group);
    if (!custom) return undefined;
    makeRoom(deps.now());
    // Events of an account's upstreams are not logged.
    const entry = { upstreams: openUpstreams(custom, { ...deps, inFlight: limit, log: () => {} }), usedAt: 0 };
    opened.set(group.id, entry);
    return entry;
  };

  return {
    async resolve(question, group) {
      // The operator's forwarding rules are for its own network and apply to every client without a rule of its account.
      const isOrdinary = group.kind !== 'forward' && ordinary.isForwarded(foldedName(question.name));
      if (group.kind === 'operator' || isOrdinary) return ordinary.resolve(question);
      const custom = opened.get(group.id) ?? openFor(group);
      if (!custom) return failed('no address', 'the upstreams of this DNS server cannot be used');
      custom.usedAt = deps.now();
      opened.delete(group.id);
      opened.set(group.id, custom);
      return custom.upstreams.resolve(question);
    },
    replace(next) {
      for (const before of current()) {
        replaced.add(before);
        setTimeout(() => {
          replaced.delete(before);
          void before.stop();
        }, timeoutMs).unref();
      }
      opened.clear();
      ordinary = openOrdinary(next);
      timeoutMs = next.timeoutMs;
    },
    isForwarded: (name) => ordinary.isForwarded(name),
    status: () => ordinary.status(),
    forwardTargets: () => ordinary.forwardTargets(),
    relay: (...query) => ordinary.relay(...query),
    exchanged: (number, counts) => ordinary.exchanged(number, counts),
    async stop() {
      await Promise.all([...current(), ...replaced].map((one) => one.stop()));
    },
  };
}
