import Type from 'typebox';
import { enumeration, int32, object } from './named.ts';

const FilterListCategoryType = enumeration('FilterListCategoryType', ['GENERAL', 'SECURITY', 'REGIONAL', 'OTHER']);

const FilterListCategory = object('FilterListCategory', 'Purpose of a filter list.', {
  category: FilterListCategoryType,
  description: Type.String(),
  value: Type.Optional(Type.String()),
});

export const Company = object('Company', 'A company in the query log.', { id: Type.String(), name: Type.String() });

export const FilterList = object('FilterList', 'A filter list of the catalogue.', {
  categories: Type.Array(FilterListCategory),
  description: Type.String(),
  download_url: Type.String(),
  filter_id: Type.String(),
  homepage_url: Type.String(),
  name: Type.String(),
  rules_count: int32(),
  source_url: Type.String(),
  tags: Type.Array(Type.String()),
  time_updated: Type.String({ format: 'date-time' }),
});

export const WebService = object('WebService', 'A web service that can be blocked.', {
  icon_svg: Type.String(),
  id: Type.String(),
  name: Type.String(),
});

export const ParentalControlFilteringCategory = object(
  'ParentalControlFilteringCategory',
  'A kind of content that parental control can block.',
  { id: Type.String() },
);
