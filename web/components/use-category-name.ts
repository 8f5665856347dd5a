import { useTranslation } from 'react-i18next';

const namedCategories = [
  'ai',
  'dating',
  'drugs',
  'gambling',
  'gaming',
  'messenger',
  'piracy',
  'shopping',
  'social_network',
  'streaming',
  'vpn_proxy',
] as const;
type Known = (typeof namedCategories)[number];

const isKnown = (id: string): id is Known => namedCategories.some((knownId) => knownId === id);

/** Name of a filtering category by id; an unknown category is shown by id. */
export function useCategoryName(): (id: string) => string {
  const { t } = useTranslation('common');
  return (id) => (isKnown(id) ? t(`contentCategories.${id}`) : id);
}
