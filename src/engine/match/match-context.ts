import type { AsciiBytes } from '../../rules/ascii-bytes.ts';
import { createNameKeys, type NameKeys } from '../name-keys.ts';
import { createNameLetters, lettersText, readNameLetters } from '../wildcard-bytes.ts';
import type { Client, Place } from './conditions.ts';

/** The name that is being decided, and what is asked about it. One serves a thread for all its decisions. */
export type MatchContext = {
  name: Uint8Array;
  at: number;
  type: number;
  client: Client | undefined;
  place: Place | undefined;
  /** It is part of an answer: no rule rewrites it. */
  isAnswer: boolean;
  readonly keys: NameKeys;
  /** What is known of the name before is forgotten; to be called for each new one. */
  readonly forget: () => void;
  /** The text of the name in lower case, letter by letter; most decisions never need it. */
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
    place: undefined,
    isAnswer: false,
    keys: createNameKeys(lines),
    forget: () => {
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
