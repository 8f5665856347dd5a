import { Anchor, List, Popover, Skeleton, Stack, Text } from '@mantine/core';
import {
  IconShieldCheck,
  IconShieldHalf,
  IconShieldOff,
  IconShieldPause,
  IconShieldQuestion,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { ProtectionTarget } from '../api/protection.ts';
import type { ProtectionView } from '../api/wire.ts';
import classes from './protection-state.module.css';
import { useListName } from './use-list-name.ts';
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
            <Reason reason={reason} />
            <Remedy code={reason.code} target={target} />
          </Stack>
        </List.Item>
      ))}
    </List>
  );
}

type ReasonView = ProtectionView['reasons'][number];

const Reason = ({ reason }: { reason: ReasonView }) =>
  reason.lists ? (
    <ReasonWithLists code={reason.code} lists={reason.lists} />
  ) : (
    <ReasonText code={reason.code} lists="" />
  );

/** Loads the names of lists, which most states do not need. */
function ReasonWithLists({ code, lists }: { code: Code; lists: readonly string[] }) {
  const listName = useListName();
  return <ReasonText code={code} lists={lists.map(listName).join(', ')} />;
}

function ReasonText({ code, lists }: { code: Code; lists: string }) {
  const { t } = useTranslation('protection');
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      {t(`reasons.${code}`, { lists })}
    </Text>
  );
}

type Code = ReasonView['code'];

/** The sections of a DNS server in which a reason can be removed. */
const sections: Partial<Record<Code, string>> = {
  nothing_enabled: 'lists',
  nothing_loaded: 'lists',
  lists_not_loaded: 'lists',
  parental_paused: 'schedule',
};

function Remedy({ code, target: { device, server } }: { code: Code; target: ProtectionTarget }) {
  const { t } = useTranslation('protection');
  const section = sections[code];
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
  if (section !== undefined && server !== undefined)
    return (
      <Anchor
        size="sm"
        renderRoot={(props) => (
          <Link to="/profiles/$serverId/{-$section}" params={{ serverId: server, section }} {...props} />
        )}
      >
        {t(section === 'lists' ? 'remedies.lists' : 'remedies.schedule')}
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
