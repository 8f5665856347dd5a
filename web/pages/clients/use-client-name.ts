import { useTranslation } from 'react-i18next';
import type { NetworkClient } from '../../api/wire.ts';

/** The name of a client, otherwise its address or MAC address. */
export function useClientName(): (client: NetworkClient) => string {
  const { t } = useTranslation('clients');
  return ({ name, addresses, mac }) => name ?? addresses[0] ?? mac ?? t('unnamed');
}
