import Type from 'typebox';
import { int32, object } from './named.ts';

export const Page = object('Page', 'A page there is.', {
  current: Type.Boolean({ description: 'Whether it is the one shown.' }),
  page_cursor: Type.String({ description: 'Give it as `cursor`, with the same other parameters, to see that page.' }),
  page_number: int32(),
});

const NavigationPage = object('NavigationPage', 'A page beside the one shown.', {
  page_cursor: Type.String(),
  page_number: int32(),
});

export const Navigation = object('Navigation', 'The pages beside the one shown, where there are any.', {
  next: Type.Optional(NavigationPage),
  prev: Type.Optional(NavigationPage),
});
