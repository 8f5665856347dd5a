import type { Naming } from '../../dns-server/thread-messages.ts';
import type { Companies } from '../../domain/catalogue/company.ts';
import type { QueryRecord } from '../../domain/query-record.ts';
import type { RuleTexts } from '../../filter-lists/rule-texts.ts';
import type { PackedRecords } from '../query-log.ts';
import type { Addresses } from './client-parts.ts';
import { createMeanings } from './enrich.ts';
import { createKnownWords, UNKNOWN } from './interner.ts';
import { type Compared, circumstancesOf, subjectOf } from './record-fields.ts';
import { field, newRingRecord, type RingReader } from './record-ring.ts';
import { addRow, hasRoomFor, isWholeBlock, newPendingRows, type PendingRows, packPending } from './row-batch.ts';

type Who = Extract<Naming, { kind: 'who' }> & { readonly pending: PendingRows; readonly compared: Compared };

export type CollectDeps = {
  readonly companies: Pick<Companies, 'companyOf'>;
  readonly rules: RuleTexts;
  readonly addresses: Addresses;
  readonly packed: (records: PackedRecords) => void;
  /** Told of rows of accounts that somebody watches, as they come. */
  readonly seen: (account: string, record: () => QueryRecord) => void;
};

/** So many records at once: few enough that what is read ahead for them is still there when it is needed. */
const AT_ONCE = 64;

/** Whether a record was taken, and if not, why. */
export type Taken = 'taken' | 'unknown' | NotKept;
type NotKept = 'cleared' | 'switched off';

const kept = { until: Number.NEGATIVE_INFINITY, why: 'cleared' } as const;

const [MAX_SUBJECTS, MAX_SUBJECT_WORDS] = [131_072, 2 ** 21];
const [MAX_CIRCUMSTANCES, MAX_CIRCUMSTANCES_WORDS] = [65_536, 2 ** 19];

/** Turns what comes out of rings into rows of accounts; nothing is made for a row but its time and two numbers. */
export function createCollector({ packed, seen, ...deps }: CollectDeps) {
  const whos: (Who | undefined)[] = [];
  const pending = new Map<string, PendingRows>();
  const watched = new Set<string>();
  // What was answered until then is not to be taken any more, and why.
  const notKept = new Map<string, { readonly until: number; readonly why: NotKept }>();
  const subjects = createKnownWords({ maxCount: MAX_SUBJECTS, maxWords: MAX_SUBJECT_WORDS, atOnce: AT_ONCE });
  const circumstances = createKnownWords({ maxCount: MAX_CIRCUMSTANCES, maxWords: MAX_CIRCUMSTANCES_WORDS, atOnce: 1 });
  const meanings = createMeanings({ ...deps, maxSubjects: MAX_SUBJECTS, maxCircumstances: MAX_CIRCUMSTANCES });
  const record = newRingRecord();
  const { hasPlaces } = deps.addresses;
  let rows = 0;

  const pack = (each: PendingRows): void => {
    if (each.rows === 0) return;
    if (isWholeBlock(each)) each.isBusy = true;
    rows -= each.rows;
    packed(packPending(each, (...rowsOf) => meanings.content(...rowsOf)));
    each.rows = 0;
  };
  const packAll = (): void => {
    for (const each of pending.values()) pack(each);
  };
  /** Of an account that fills whole blocks, the next one is soon full: its first rows wait for the others, but not twice. */
  const packDue = (): void => {
    for (const each of pending.values())
      if (each.isBusy) each.isBusy = false;
      else pack(each);
  };
  /** Numbers are given anew: what was known by the old ones is packed first. */
  const forgetNumbers = (): void => {
    packAll();
    subjects.clear();
    circumstances.clear();
    meanings.clear();
  };
  // Of the records that are taken at once: where they are, and the subject of each.
  const places = new Int32Array(AT_ONCE);
  const subject = { ends: new Int32Array(AT_ONCE + 1), hashes: new Int32Array(AT_ONCE) };
  const readSubjects = ({ words }: RingReader, count: number): void => {
    for (let each = 0; each < count; each++) {
      const start = subject.ends[each]!;
      const who = whos[words[places[each]! + field.who]! >>> 0];
      const end = who ? subjectOf(words, places[each]!, who.compared, subjects.wanted, start) : start;
      subject.ends[each + 1] = end;
      subject.hashes[each] = subjects.hashOf(start, end - start);
    }
    subjects.readAhead(subject.hashes, count);
  };
  const findSubject = (each: number): number => {
    const start = subject.ends[each]!;
    return subjects.find(start, subject.ends[each + 1]! - start, subject.hashes[each]!);
  };
  const findCircumstances = ({ words }: RingReader, at: number, { compared }: Who): number => {
    const length = circumstancesOf(words, at, compared, circumstances.wanted);
    return circumstances.find(0, length, circumstances.hashOf(0, length));
  };
  /** What a record says that is the first to say it. There must be room for it. */
  const learn = (reader: RingReader, each: number, who: Who): void => {
    reader.read(places[each]!, record);
    if (findSubject(each) === UNKNOWN) meanings.learnSubject(subjects.add(), record);
    if (findCircumstances(reader, places[each]!, who) === UNKNOWN)
      meanings.learnCircumstances(circumstances.add(), record, who);
  };
  const take = (reader: RingReader, each: number): Taken => {
    const at = places[each]!;
    const who = whos[reader.words[at + field.who]! >>> 0];
    if (!who) return 'unknown';
    const time = reader.timeAt(at);
    const own = who.pending;
    if (notKept.size > 0) {
      const { until, why } = notKept.get(own.account) ?? kept;
      if (time <= until) return why;
    }
    let itsSubject = findSubject(each);
    let itsCircumstances = findCircumstances(reader, at, who);
    if (itsSubject === UNKNOWN || itsCircumstances === UNKNOWN) {
      if (subjects.isFull() || circumstances.isFull() || meanings.isFull()) forgetNumbers();
      learn(reader, each, who);
      itsSubject = findSubject(each);
      itsCircumstances = findCircumstances(reader, at, who);
    }
    if (!hasRoomFor(own, time)) pack(own);
    addRow(own, time, itsSubject, itsCircumstances);
    rows += 1;
    if (watched.size > 0 && watched.has(own.account))
      seen(own.account, () => meanings.record(own.account, time, itsSubject, itsCircumstances));
    return 'taken';
  };

  const pendingOf = (account: string): PendingRows => {
    const known = pending.get(account) ?? newPendingRows(account);
    pending.set(account, known);
    return known;
  };

  return {
    name(naming: Extract<Naming, { kind: 'who' }>): void {
      const compared = { client: naming.ipLog || hasPlaces, address: hasPlaces };
      whos[naming.who] = { ...naming, compared, pending: pendingOf(naming.account) };
    },
    /** All that is in a ring. Tells how many were taken, or were not and why, before they are gone from it. */
    takeAll(reader: RingReader, told: (taken: Taken, count: number) => void): void {
      for (let count = reader.nextOnes(places); count > 0; count = reader.nextOnes(places)) {
        if (meanings.isFull()) forgetNumbers();
        readSubjects(reader, count);
        let taken = 0;
        for (let each = 0; each < count; each++) {
          const outcome = take(reader, each);
          if (outcome === 'taken') taken += 1;
          else told(outcome, 1);
        }
        told('taken', taken);
        reader.passTo(places[count - 1]!);
      }
    },
    packAll,
    packDue,
    cleared: (account: string, until: number): void => {
      if (notKept.get(account)?.why !== 'switched off') notKept.set(account, { until, why: 'cleared' });
    },
    /** Gives how many rows of it were waiting, which are gone. */
    logging({ account, isKept, time }: Extract<Naming, { kind: 'logging' }>): number {
      notKept.set(account, { until: isKept ? time - 1 : Number.POSITIVE_INFINITY, why: 'switched off' });
      const own = pending.get(account);
      if (isKept || !own) return 0;
      const gone = own.rows;
      rows -= gone;
      own.rows = 0;
      return gone;
    },
    forgetCleared: (before: number): void => {
      for (const [account, { until }] of notKept) if (until < before) notKept.delete(account);
    },
    watch: (account: string, isWatched: boolean): void => {
      if (isWatched) watched.add(account);
      else watched.delete(account);
    },
    rows: (): number => rows,
  };
}
