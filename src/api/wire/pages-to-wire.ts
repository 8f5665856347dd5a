import type { Static } from 'typebox';
import type { PageLink } from '../../domain/log-query.ts';
import type { Page } from './pages.ts';

export const pagesToWire = (pages: readonly PageLink[]): Static<typeof Page>[] =>
  pages.map(({ number, cursor, isCurrent }) => ({ current: isCurrent, page_cursor: cursor, page_number: number }));
