import { sourceNames } from '../compiler/sources/cached-read.ts';
import type { Order } from './compile-job.ts';

/** Whether all texts of an order came with it, so that nothing is downloaded. In doubt it is not local. */
export function isLocal({ configuration, preFetchedContent = {} }: Order): boolean {
  const elsewhere = sourceNames(configuration).filter((name) => !Object.hasOwn(preFetchedContent, name));
  // URLs drop tabs and line breaks wherever they stand.
  const isUrl = (name: string): boolean => /^https?:/i.test(name.slice(0, 100).replace(/\s/g, ''));
  const texts = [...elsewhere, ...Object.values(preFetchedContent)];
  return !elsewhere.some(isUrl) && !texts.some((text) => text.includes('!#include'));
}
