import { Textarea } from '@mantine/core';
import { useState } from 'react';

type Props = {
  readonly label: string;
  readonly hint: string;
  readonly example: string;
  readonly lines: readonly string[];
  readonly isReadOnly: boolean;
  readonly error: string | undefined;
  readonly onChange: (lines: string[]) => void;
};

const toLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Text area with one entry per line. */
export function LinesInput({ label, hint, example, lines, isReadOnly, error, onChange }: Props) {
  // Keeps spaces and empty lines while typing, as long as the entries are equal.
  const [typed, setTyped] = useState('');
  const text = toLines(typed).join('\n') === lines.join('\n') ? typed : lines.join('\n');
  return (
    <Textarea
      label={label}
      description={hint}
      placeholder={example}
      autosize
      minRows={3}
      maxRows={14}
      maw={560}
      dir="ltr"
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      spellCheck={false}
      readOnly={isReadOnly}
      value={text}
      error={error}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        onChange(toLines(event.currentTarget.value));
      }}
    />
  );
}
