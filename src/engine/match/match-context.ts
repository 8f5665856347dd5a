import type { AsciiBytes } from '../../rules/ascii-bytes.ts';
import { createNameKeys, type NameKeys } from '../name-keys.ts';
import { createNameLetters, lettersText, readNameLetters } from '../wildcard-bytes.ts';
import type { AnswerLocation, Client, Subject } from './conditions.ts';

/** The name to decide and the properties of its query. One object per thread. */
export type MatchContext = {
  name: Uint8Array;
  at: number;
  type: number;
  client: Client | undefined;
  location: AnswerLocation | undefined;
  subject: Subject;
  readonly keys: NameKeys;
  /** Must be called for each new name. */
  readonly reset: () => void;
  /** The text of the name in lower case; most decisions do not need it. */
  readonly letters: () => AsciiBytes;
  readonly text: () => string;
};

export function createMatchContext(lines: number): MatchContext {
  const letters = createNameLetters();
  let text: string | undefined;
  const context: MatchContext = {
    name: new Uint8Array(1),
    at: 0,
    type: 0,
    client: undefined,
    location: undefined,
    subject: 'query',
    keys: createNameKeys(lines),
    reset: () => {
      text = undefined;
    },
    letters: () => {
      readNameLetters(context.name, context.at, letters);
      return letters;
    },
    text: () => {
      text ??= lettersText(context.letters());
      return text;
    },
  };
  return context;
}
