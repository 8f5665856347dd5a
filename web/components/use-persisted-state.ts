import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { memberQuery } from '../api/session.ts';

/**
 * As useState, and kept in this browser for whoever is signed in, so that nothing that was typed is lost by a reload.
 * What does not fit is not kept: the page works all the same.
 */
export function useKept<T>(name: string, first: () => T): [T, (next: T) => void] {
  const { data: member } = useQuery(memberQuery);
  const key = `${name} of ${member?.email ?? ''}`;
  const [value, setValue] = useState<T>(() => read<T>(key) ?? first());
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
    // Rather nothing than what was typed long ago.
    localStorage.removeItem(key);
  }
}
