import { Anchor, List, Popover, Skeleton, Stack, Text } from '@mantine/core';
import {
  IconShieldCheck,
  IconShieldHalf,
  IconShieldOff,
  IconShieldPause,
  IconShieldQuestion,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { ProtectionTarget } from '../api/protection.ts';
import { serversQuery } from '../api/servers.ts';
import type { ProtectionView } from '../api/wire.ts';
import { MissingLists } from './missing-lists.tsx';
import classes from './protection-state.module.css';
import { isSafetyList } from './safety-lists.ts';
import { useProtection } from './use-protection.ts';
import { useProtectionText } from './use-protection-text.ts';

const icons = {
  protected: IconShieldCheck,
  partly: IconShieldHalf,
  paused: IconShieldPause,
  off: IconShieldOff,
  unknown: IconShieldQuestion,
} as const;

export function ProtectionIcon({ state, size }: { state: ProtectionView['state']; size: number }) {
  const Icon = icons[state];
  return (
    <span className={classes[state]}>
      <Icon className={classes['icon']} size={size} stroke={1.6} aria-hidden />
    </span>
  );
}

/** The protection state, the same on every page; it opens the reasons. */
export function ProtectionState(target: ProtectionTarget) {
  const protection = useProtection(target);
  return protection ? (
    <ProtectionBadge protection={protection} target={target} />
  ) : (
    <Skeleton h={26} w={110} radius="xl" />
  );
}

type Props = { readonly protection: ProtectionView; readonly target: ProtectionTarget };

export function ProtectionBadge({ protection, target }: Props) {
  const { t } = useTranslation('protection');
  const text = useProtectionText()(protection);
  const Icon = icons[protection.state];
  const className = `${classes['badge']} ${classes[protection.state]}`;
  const label = (
    <>
      <Icon size={17} stroke={1.8} aria-hidden />
      <span>{text}</span>
    </>
  );
  if (protection.reasons.length === 0) return <span className={className}>{label}</span>;
  return (
    <Popover width={320} position="bottom-end" withArrow shadow="md" withinPortal trapFocus>
      <Popover.Target>
        <button type="button" className={className} aria-label={t('why', { state: text })}>
          {label}
        </button>
      </Popover.Target>
      <Popover.Dropdown>
        <ProtectionReasons protection={protection} target={target} />
      </Popover.Dropdown>
    </Popover>
  );
}

/** Why the state is not `protected`, and what to do. */
export function ProtectionReasons({ protection: { reasons }, target }: Props) {
  return (
    <List size="sm" spacing="xs" listStyleType="none">
      {reasons.map((reason) => (
        <List.Item key={reason.code}>
          <Stack gap={2}>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {reason.dns_servers && <ServerNames ids={reason.dns_servers} />}
              <ReasonText code={reason.code} />
            </Text>
            {reason.lists && <MissingLists lists={reason.lists} />}
            <Remedy reason={reason} target={target} />
          </Stack>
        </List.Item>
      ))}
    </List>
  );
}

type ReasonView = ProtectionView['reasons'][number];
type Code = ReasonView['code'];

/** Only for a reason that other DNS servers do not have. */
function ServerNames({ ids }: { ids: readonly string[] }) {
  const { data: servers = [] } = useQuery(serversQuery);
  const names = servers.filter(({ id }) => ids.includes(id)).map(({ name }) => name);
  return names.length === 0 ? null : (
    <Text span inherit fw={600}>
      <bdi>{names.join(', ')}</bdi>:{' '}
    </Text>
  );
}

function ReasonText({ code }: { code: Code }) {
  const { t } = useTranslation('protection');
  return t(`reasons.${code}`);
}

/** The section of a DNS server in which a reason can be removed. */
function sectionOf({ code, lists = [] }: ReasonView): 'lists' | 'safety' | 'schedule' | undefined {
  switch (code) {
    case 'parental_paused':
      return 'schedule';
    case 'nothing_enabled':
      return 'lists';
    case 'nothing_loaded':
    case 'lists_not_loaded':
      return lists.every(isSafetyList) ? 'safety' : 'lists';
    default:
      return undefined;
  }
}

function Remedy({ reason, target: { device, server } }: { reason: ReasonView; target: ProtectionTarget }) {
  const { t } = useTranslation('protection');
  const { data: servers = [] } = useQuery(serversQuery);
  const { code, dns_servers: having = servers.map(({ id }) => id) } = reason;
  const section = sectionOf(reason);
  const only = server ?? (having.length === 1 ? having[0] : undefined);
  if (code === 'upstreams_down' || code === 'resolver_unavailable')
    return (
      <Anchor size="sm" renderRoot={(props) => <Link to="/system" {...props} />}>
        {t('remedies.system')}
      </Anchor>
    );
  if (code === 'not_seen' && device !== undefined)
    return (
      <Anchor
        size="sm"
        renderRoot={(props) => <Link to="/devices/$deviceId/connect" params={{ deviceId: device }} {...props} />}
      >
        {t('remedies.connect')}
      </Anchor>
    );
  if (section !== undefined && only !== undefined)
    return (
      <Anchor
        size="sm"
        renderRoot={(props) => (
          <Link to="/profiles/$serverId/{-$section}" params={{ serverId: only, section }} {...props} />
        )}
      >
        {t(`remedies.${section}`)}
      </Anchor>
    );
  if (section !== undefined || code === 'dns_server_off')
    return (
      <Anchor size="sm" renderRoot={(props) => <Link to="/profiles" {...props} />}>
        {t('remedies.servers')}
      </Anchor>
    );
  return null;
}
