import Type from 'typebox';
import { int32, object } from './named.ts';

export const Page = object('Page', 'A page of the result.', {
  current: Type.Boolean({ description: 'Whether this is the current page.' }),
  page_cursor: Type.String({ description: 'Pass it as `cursor` with the same other parameters to get the page.' }),
  page_number: int32(),
});

const NavigationPage = object('NavigationPage', 'An adjacent page.', {
  page_cursor: Type.String(),
  page_number: int32(),
});

export const Navigation = object('Navigation', 'The previous and next page, if present.', {
  next: Type.Optional(NavigationPage),
  prev: Type.Optional(NavigationPage),
});
