import { Alert, Anchor, List, Loader, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { accountQuery } from '../../api/account.ts';
import { type LoggedQuery, useLastQuery } from '../../api/device-queries.ts';
import type { Device, ProtectionView } from '../../api/wire.ts';
import { DomainName } from '../../components/domain-name.tsx';
import { TimeAgo } from '../../components/format.tsx';
import { ProtectionIcon, ProtectionReasons } from '../../components/protection-state.tsx';
import { useNow } from '../../components/use-now.ts';
import { useProtection } from '../../components/use-protection.ts';
import { ProtectionSwitch } from '../devices/protection-switch.tsx';

const RECENT_MS = 10 * 60_000;
// The status colours have too little contrast on their own light background.
const wrapping = { title: { overflowWrap: 'anywhere' } } as const;

/** Connection status: shows the protection state once a query of the device arrives. */
export function LiveCheck({ device }: { device: Device }) {
  const { t } = useTranslation('connect');
  const last = useLastQuery({ devices: device.id });
  const now = useNow();
  const { data: account } = useQuery(accountQuery);
  const protection = useStateOfConnected(device);
  const { name } = device;
  const isConnected = last !== undefined && now - last.time_millis < RECENT_MS;
  if (isConnected && protection) return <Connected device={device} last={last} protection={protection} />;
  if (account && !account.log_enabled)
    return (
      <Alert color="orange" role="status" styles={wrapping} title={t('check.noLog')}>
        <Stack align="flex-start" gap="xs">
          <Text size="sm">{t('check.noLogText')}</Text>
          <Anchor
            size="sm"
            renderRoot={(props) => <Link to="/account/{-$section}" params={{ section: 'settings' }} {...props} />}
          >
            {t('check.toSettings')}
          </Anchor>
        </Stack>
      </Alert>
    );
  return (
    <Alert
      color="gray"
      role="status"
      styles={wrapping}
      icon={<Loader size={20} />}
      title={t('check.waiting', { name })}
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{t('check.waitingText')}</Text>
        {last && <LastQuery last={last} />}
        {protection && protection.state !== 'protected' && protection.reasons.length > 0 && (
          <ProtectionReasons protection={protection} target={{ device: device.id, server: device.dns_server_id }} />
        )}
        <Hints />
      </Stack>
    </Alert>
  );
}

/** The log may not have counted the query that has just arrived; then the state of the DNS server applies. */
function useStateOfConnected({ id, dns_server_id: server }: Device): ProtectionView | undefined {
  const ofDevice = useProtection({ device: id });
  const ofServer = useProtection({ server });
  return ofDevice?.reasons.some(({ code }) => code === 'not_seen') ? ofServer : ofDevice;
}

const colours = { protected: 'green', partly: 'orange', paused: 'orange', off: 'red', unknown: 'gray' } as const;

type ConnectedProps = { readonly device: Device; readonly last: LoggedQuery; readonly protection: ProtectionView };

function Connected({ device, last, protection }: ConnectedProps) {
  const { t } = useTranslation('connect');
  const { state, reasons } = protection;
  return (
    <Alert
      color={colours[state]}
      role="status"
      styles={wrapping}
      icon={<ProtectionIcon state={state} size={22} />}
      title={t(`check.${state}`, { name: device.name })}
    >
      <Stack align="flex-start" gap="xs">
        <LastQuery last={last} />
        {reasons.length > 0 && (
          <ProtectionReasons protection={protection} target={{ device: device.id, server: device.dns_server_id }} />
        )}
        {!device.settings.protection_enabled && <ProtectionSwitch device={device} label={t('check.switchOn')} />}
      </Stack>
    </Alert>
  );
}

function LastQuery({ last }: { last: LoggedQuery }) {
  const { t } = useTranslation('connect');
  return (
    <Text size="sm">
      {t('check.asked')} <DomainName name={last.domain} /> · <TimeAgo millis={last.time_millis} />
    </Text>
  );
}

const hints = ['hints.certificate', 'hints.reach', 'hints.vpn', 'hints.browser'] as const;

function Hints() {
  const { t } = useTranslation('connect');
  return (
    <details>
      <Text component="summary" size="sm" style={{ cursor: 'pointer' }}>
        {t('hints.title')}
      </Text>
      <List size="sm" mt="xs" spacing={4}>
        {hints.map((hint) => (
          <List.Item key={hint}>{t(hint)}</List.Item>
        ))}
      </List>
    </details>
  );
}
