import Type from 'typebox';
import { enumeration, int32, object } from './named.ts';

const FilterListCategoryType = enumeration('FilterListCategoryType', ['GENERAL', 'SECURITY', 'REGIONAL', 'OTHER']);

const FilterListCategory = object('FilterListCategory', 'What a list is for.', {
  category: FilterListCategoryType,
  description: Type.String(),
  value: Type.Optional(Type.String()),
});

export const FilterList = object('FilterList', 'A list that servers can choose.', {
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

export const WebService = object('WebService', 'A service that can be blocked.', {
  icon_svg: Type.String(),
  id: Type.String(),
  name: Type.String(),
});
