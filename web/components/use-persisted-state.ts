import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { memberQuery } from '../api/session.ts';

/** useState that is stored in localStorage per member, so that a reload keeps input. Values over the quota are not stored. */
export function usePersistedState<T>(name: string, initial: () => T): [T, (next: T) => void] {
  const { data: member } = useQuery(memberQuery);
  const key = `${name} of ${member?.email ?? ''}`;
  const [value, setValue] = useState<T>(() => read<T>(key) ?? initial());
  return [
    value,
    (next) => {
      setValue(next);
      write(key, next);
    },
  ];
}

function read<T>(key: string): T | undefined {
  const text = localStorage.getItem(key);
  return text === null ? undefined : (JSON.parse(text) as T);
}

function write(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    // An outdated draft would be worse than none.
    localStorage.removeItem(key);
  }
}
