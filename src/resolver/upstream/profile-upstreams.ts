import { inFlight } from './in-flight.ts';
import { type OpenUpstreamsDeps, openUpstreams, type Upstreams } from './open-upstreams.ts';
import { failed, type UpstreamAnswer } from './upstream-answer.ts';
import type { UpstreamGroup } from './upstream-group.ts';
import { foldedName, type UpstreamQuestion } from './upstream-query.ts';
import type { UpstreamSettings } from './upstream-settings.ts';

export type ProfileUpstreams = Omit<Upstreams, 'resolve'> & {
  readonly resolve: (question: UpstreamQuestion, via: UpstreamGroup) => Promise<UpstreamAnswer>;
};

export type ProfileUpstreamsDeps = OpenUpstreamsDeps & {
  /** Settings for the custom upstreams of an account; undefined if they are invalid. */
  readonly settingsFor: (upstreams: readonly string[]) => UpstreamSettings | undefined;
};

type Opened = { readonly upstreams: Upstreams; usedAt: number };

const MOST_OPEN = 200;
const IDLE_MS = 600_000;

/** The operator's upstreams and the custom upstreams of accounts, opened on first use. */
export function openProfileUpstreams(settings: UpstreamSettings, deps: ProfileUpstreamsDeps): ProfileUpstreams {
  const places = deps.inFlight ?? inFlight();
  const ordinary = openUpstreams(settings, { ...deps, inFlight: places });
  const opened = new Map<number, Opened>();

  const close = (group: number, { upstreams }: Opened): void => {
    opened.delete(group);
    void upstreams.stop();
  };
  const makeRoom = (now: number): void => {
    for (const [group, one] of opened) if (now - one.usedAt > IDLE_MS) close(group, one);
    // Used entries move to the end: the first one is the least recently used.
    const [first] = opened;
    if (first && opened.size >= MOST_OPEN) close(...first);
  };
  const openFor = ({ id: group, upstreams }: UpstreamGroup): Opened | undefined => {
    const own = deps.settingsFor(upstreams);
    if (!own) return undefined;
    makeRoom(deps.now());
    // The state of an account's upstreams is not logged.
    const made = { upstreams: openUpstreams(own, { ...deps, inFlight: places, log: () => {} }), usedAt: 0 };
    opened.set(group, made);
    return made;
  };

  return {
    async resolve(question, via) {
      // The operator's forwarding rules are for its own network and apply to every client.
      if (via.id === 0 || ordinary.isForwarded(foldedName(question.name))) return ordinary.resolve(question);
      const own = opened.get(via.id) ?? openFor(via);
      if (!own) return failed('no address', 'the upstreams of this DNS server cannot be used');
      own.usedAt = deps.now();
      opened.delete(via.id);
      opened.set(via.id, own);
      return own.upstreams.resolve(question);
    },
    isForwarded: ordinary.isForwarded,
    status: ordinary.status,
    async stop() {
      await Promise.all(
        [ordinary, ...Array.from(opened.values(), ({ upstreams }) => upstreams)].map((one) => one.stop()),
      );
    },
  };
}
